//! Which source file uses which: imports and paths, resolved to files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// A module as the names from the crate root down to it.
type Module = Vec<String>;

/// The source files of a crate and what each of them uses.
pub struct Sources {
    /// File by module, relative to the source folder.
    files: BTreeMap<Module, String>,
    /// The text of each file, parsed.
    parsed: BTreeMap<Module, syn::File>,
}

impl Sources {
    /// Reads all files below `root`.
    pub fn read(root: &Path) -> Sources {
        let texts = rust_files(root).into_iter().map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            (name.replace('\\', "/"), fs::read_to_string(&path).unwrap())
        });
        Sources::parse(texts)
    }

    /// Parses files given by name, relative to the source folder, and text.
    pub fn parse(texts: impl IntoIterator<Item = (String, String)>) -> Sources {
        let mut sources = Sources {
            files: BTreeMap::new(),
            parsed: BTreeMap::new(),
        };
        for (name, text) in texts {
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            sources.files.insert(module_of(&name), name.clone());
            sources.parsed.insert(module_of(&name), parsed);
        }
        sources
    }

    /// For each file the other files it uses, test modules left out.
    pub fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let of_module = |(module, file): (&Module, &syn::File)| {
            let mut finder = Finder::default();
            finder.visit_file(file);
            let own = self.files[module].as_str();
            let used = finder.paths.iter();
            let used = used.filter_map(|path| self.file_of(module, path));
            (own, used.filter(|&file| file != own).collect())
        };
        self.parsed.iter().map(of_module).collect()
    }

    /// The file that a path names when it is written in `module`; `None` outside this crate.
    fn file_of(&self, module: &Module, path: &[String]) -> Option<&str> {
        let mut at: Module = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.clone(),
            child => {
                let mut at = module.clone();
                at.push(child.to_owned());
                self.files.contains_key(&at).then_some(())?;
                module.clone()
            }
        };
        for name in path {
            match name.as_str() {
                "crate" | "self" => {}
                "super" => {
                    at.pop()?;
                }
                name => {
                    at.push(name.to_owned());
                    if !self.files.contains_key(&at) {
                        at.pop();
                        break;
                    }
                }
            }
        }
        self.files.get(&at).map(String::as_str)
    }
}

/// All Rust files below `folder`.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`; `lib.rs` is the root, `main.rs` a program of its own.
fn module_of(name: &str) -> Module {
    let name = name.trim_end_matches(".rs");
    let name = name.trim_end_matches("/mod");
    match name {
        "lib" => Vec::new(),
        name => name.split('/').map(str::to_owned).collect(),
    }
}

/// Collects the paths of a file.
#[derive(Default)]
struct Finder {
    paths: Vec<Vec<String>>,
}

impl Finder {
    /// Every path of a `use` tree that begins with `prefix`.
    fn add_tree(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let mut path = prefix.to_vec();
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.add_tree(&path, &part.tree);
            }
            syn::UseTree::Name(part) => {
                path.push(part.ident.to_string());
                self.paths.push(path);
            }
            syn::UseTree::Rename(part) => {
                path.push(part.ident.to_string());
                self.paths.push(path);
            }
            syn::UseTree::Glob(_) => self.paths.push(path),
            syn::UseTree::Group(group) => {
                for item in &group.items {
                    self.add_tree(prefix, item);
                }
            }
        }
    }
}

/// Whether an item is compiled for unit tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.add_tree(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if names.len() > 1 {
            self.paths.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        // What stands in a macro call is not parsed: look for paths from the root in its words.
        let text = call.tokens.to_string().replace(' ', "");
        for part in text.split("crate::").skip(1) {
            let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            let names = part[..end.unwrap_or(part.len())].split("::");
            let root = std::iter::once("crate");
            self.paths
                .push(root.chain(names).map(str::to_owned).collect());
        }
        visit::visit_macro(self, call);
    }
}

/// The groups of files that use each other in a circle, directly or through others.
pub fn circles<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let reachable = |from: &'a str| {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for &next in uses.get(file).into_iter().flatten() {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|&file| (file, reachable(file))).collect();
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for (&file, found) in &reach {
        if !found.contains(file) || groups.iter().flatten().any(|&known| known == file) {
            continue;
        }
        let back = |other: &&&str| reach.get(**other).is_some_and(|reach| reach.contains(file));
        groups.push(found.iter().filter(back).copied().collect());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> Sources {
        let owned = |&(name, text): &(&str, &str)| (name.to_owned(), text.to_owned());
        Sources::parse(files.iter().map(owned))
    }

    #[test]
    fn every_form_of_import_is_resolved() {
        let sources = sources(&[
            ("lib.rs", "pub mod a; pub mod b; pub mod c;"),
            ("a/mod.rs", "mod x; mod y; fn f() { x::g(); }"),
            (
                "a/x.rs",
                "use super::{y::{Z, self}, h}; fn g() -> crate::b::T { crate::c::t() }",
            ),
            ("a/y.rs", "use crate::{b::T as U, c}; use std::fmt;"),
            ("b.rs", "#[cfg(test)] mod tests { use crate::c::t; }"),
            ("c.rs", "fn t() { assert!(crate::b::ok()); }"),
        ]);
        let uses = sources.uses();
        let of = |file: &str| uses[file].iter().copied().collect::<Vec<_>>();
        assert_eq!(of("lib.rs"), [""; 0]);
        assert_eq!(of("a/mod.rs"), ["a/x.rs"]);
        assert_eq!(of("a/x.rs"), ["a/mod.rs", "a/y.rs", "b.rs", "c.rs"]);
        assert_eq!(of("a/y.rs"), ["b.rs", "c.rs"]);
        assert_eq!(of("b.rs"), [""; 0]);
        assert_eq!(of("c.rs"), ["b.rs"]);
    }

    #[test]
    fn a_circle_is_found_through_other_files_and_nothing_else_is_one() {
        let sources = sources(&[
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "use crate::a::A; use crate::d::D;"),
            ("d.rs", ""),
        ]);
        assert_eq!(circles(&sources.uses()), [["a.rs", "b.rs", "c.rs"]]);
    }
}
