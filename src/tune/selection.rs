//! Which weights are meant: groups by name, by the beginning of their names, or by part.

use std::fmt;
use std::str::FromStr;

use crate::chess::eval::{Group, Weights};

/// A set of groups: the name of one (`material`), a beginning (`passed*`), a part (`KingSafety`), or `all`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Selection(String);

impl Selection {
    /// Whether the group belongs to it.
    pub fn contains(&self, group: &Group) -> bool {
        let part = format!("{:?}", group.part);
        match self.0.strip_suffix('*') {
            Some(beginning) => group.name.starts_with(beginning),
            None => self.0 == "all" || self.0 == group.name || part == self.0,
        }
    }
}

/// Nothing has this name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownGroup(String);

impl fmt::Display for UnknownGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no group of weights is called `{}`", self.0)
    }
}

impl std::error::Error for UnknownGroup {}

impl FromStr for Selection {
    type Err = UnknownGroup;

    fn from_str(text: &str) -> Result<Selection, UnknownGroup> {
        let selection = Selection(text.to_string());
        let known = Weights::GROUPS
            .iter()
            .any(|group| selection.contains(group));
        if known {
            Ok(selection)
        } else {
            Err(UnknownGroup(text.to_string()))
        }
    }
}

/// For every weight of the flat list whether one of the selections means it.
pub fn mask(selections: &[Selection]) -> Vec<bool> {
    let mut mask = Vec::with_capacity(Weights::LEN);
    for group in Weights::GROUPS {
        let meant = selections.iter().any(|selection| selection.contains(group));
        mask.extend(std::iter::repeat_n(meant, group.len()));
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(names: &[&str]) -> usize {
        let selections: Result<Vec<Selection>, _> = names.iter().map(|name| name.parse()).collect();
        let mask = mask(&selections.expect("known names"));
        assert_eq!(mask.len(), Weights::LEN);
        mask.into_iter().filter(|&meant| meant).count()
    }

    #[test]
    fn groups_are_meant_by_name_beginning_and_part() {
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&["all"]), Weights::LEN);
        assert_eq!(count(&["material"]), 5);
        assert_eq!(count(&["material", "square"]), 5 + 6 * 64);
        assert_eq!(count(&["passed_own*", "passed_own_king"]), 64 + 8);
        assert!(count(&["KingSafety"]) > 50 && count(&["Material"]) > 5);
        assert!("materia".parse::<Selection>().is_err());
        assert!("x*".parse::<Selection>().is_err());
    }
}
