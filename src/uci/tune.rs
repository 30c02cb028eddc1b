//! The numbers of the search as UCI options, and as input for OpenBench's SPSA tuner. Only in builds with the
//! cargo feature `tune`.

use crate::search::Params;

/// A tuner's first step, as a share of a parameter's range.
const STEP_SHARE: f64 = 0.05;
/// The tuner's rate of learning at its end, as OpenBench suggests it.
const FINAL_RATE: f64 = 0.002;

/// An `option` line for every parameter.
pub fn option_lines() -> impl Iterator<Item = String> {
    Params::TABLE.iter().map(|parameter| {
        let (name, default) = (parameter.name, parameter.default);
        format!(
            "option name {name} type spin default {default} min {} max {}",
            parameter.min, parameter.max
        )
    })
}

/// The parameter and value of a `setoption`, if it means a parameter.
pub fn parse(name: &str, value: Option<&str>) -> Option<(String, i32)> {
    let parameter = Params::TABLE
        .iter()
        .find(|parameter| parameter.name.eq_ignore_ascii_case(name))?;
    Some((parameter.name.to_string(), value?.parse().ok()?))
}

/// A line for every parameter in OpenBench's form: name, type, value, minimum, maximum, step, rate.
pub fn spsa_lines() -> impl Iterator<Item = String> {
    Params::TABLE.iter().map(|parameter| {
        let step = (f64::from(parameter.max - parameter.min) * STEP_SHARE).max(0.5);
        format!(
            "{}, int, {}, {}, {}, {step:.2}, {FINAL_RATE}",
            parameter.name, parameter.default, parameter.min, parameter.max
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_offered_and_understood() {
        assert_eq!(option_lines().count(), Params::TABLE.len());
        assert!(spsa_lines().all(|line| line.split(", ").count() == 7));
        for parameter in Params::TABLE {
            let parsed = parse(parameter.name, Some("7"));
            assert_eq!(parsed, Some((parameter.name.to_string(), 7)));
        }
        assert_eq!(parse("Hash", Some("16")), None);
    }
}
