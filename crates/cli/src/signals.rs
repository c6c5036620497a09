//! Signals that end the command: something is done first.

/// Sees to it that something is done before an interrupt, a hangup or a request to end takes its course; what that gives
/// is held until then. Once is enough. The process still ends by the signal, as whoever sent it expects.
#[cfg(unix)]
pub fn watch<Held: 'static>(first: fn() -> Held) {
    use std::sync::Once;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // One that is ignored (`nohup`, a job in the background of a script) stays ignored.
        let ignored = ignored();
        let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        // Without a watch, or a thread for it, the next run removes what a signal leaves.
        let Ok(mut signals) = Signals::new(signals) else { return };
        let wait = move || {
            for signal in signals.forever() {
                let _held = first();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).stack_size(64 << 10).spawn(wait);
    });
}

/// Lets a write that a limit on the size of files refuses (`ulimit -f`) be an error like others. The signal that comes with it
/// ends a process otherwise.
#[cfg(unix)]
pub fn outlive_file_limits() {
    // Without it, the next run removes what the signal leaves.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// The signals that this process ignores, a bit each, as Linux tells them; elsewhere none is known.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0)
}

/// Where there are no signals, none comes with a limit.
#[cfg(not(unix))]
pub fn outlive_file_limits() {}

/// Where there are no signals, there is nothing to watch.
#[cfg(not(unix))]
pub fn watch<Held>(_first: fn() -> Held) {}
