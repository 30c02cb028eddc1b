//! Text that goes into an `info string`: short, on one line, and free of words that clients look for.

/// Longest text of an `info string`, in characters.
const MAX_LENGTH: usize = 400;
/// Longest quotation of what a user sent, in characters.
const MAX_QUOTE: usize = 60;

/// `text` in backquotes, cut when it is long.
pub fn quote(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(MAX_QUOTE).collect();
    let dots = if characters.next().is_some() {
        "..."
    } else {
        ""
    };
    format!("`{start}{dots}`")
}

/// `text` without control characters and without the word `pv`, cut when it is long.
///
/// Some clients take any line with that word for a line of analysis.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::new();
    let mut word = String::new();
    for character in text.chars().take(MAX_LENGTH) {
        if character.is_alphanumeric() {
            word.push(character);
        } else {
            push_word(&mut cleaned, &mut word);
            cleaned.push(if character.is_control() {
                ' '
            } else {
                character
            });
        }
    }
    push_word(&mut cleaned, &mut word);
    cleaned
}

fn push_word(text: &mut String, word: &mut String) {
    text.push_str(if word.eq_ignore_ascii_case("pv") {
        "p-v"
    } else {
        word
    });
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_pv_never_stands_alone() {
        assert_eq!(
            clean("a pv, `PV` and MultiPV/pv.log"),
            "a p-v, `p-v` and MultiPV/p-v.log"
        );
        assert_eq!(clean("pv"), "p-v");
        assert_eq!(clean("two\nlines\0"), "two lines ");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(quote("short"), "`short`");
        assert_eq!(quote(&"x".repeat(61)), format!("`{}...`", "x".repeat(60)));
        assert_eq!(clean(&"ä".repeat(100_000)).chars().count(), MAX_LENGTH);
    }
}
