//! How much memory the system can give.

/// Bytes in a mebibyte.
pub const BYTES_PER_MIB: usize = 1 << 20;

/// Memory the system can give, in mebibytes, the limit of a container included; `None` where the system does not say.
pub fn available_mib() -> Option<usize> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let mut available = system.available_memory();
    if let Some(limits) = system.cgroup_limits() {
        available = available.min(limits.free_memory);
    }
    (available > 0).then(|| usize::try_from(available / BYTES_PER_MIB as u64).unwrap_or(usize::MAX))
}
