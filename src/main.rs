//! The `lanternfish` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    lanternfish::cli::main()
}
