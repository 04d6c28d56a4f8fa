// Ends printd if a signal arrives while printd starts.

import Glibc

/// The handling of SIGTERM and SIGINT until the service group of `printd` handles these signals.
///
/// The service group replaces the signal handler. No signal is lost in between.
enum EarlySignals {
    private static let numbers = [SIGTERM, SIGINT]

    /// Makes SIGTERM and SIGINT end this process immediately with exit code 0.
    ///
    /// The start can be interrupted at any time, because each change of the spool is one transaction.
    static func exitCleanly() {
        for number in numbers { signal(number) { _ in _exit(0) } }
    }

    /// Makes SIGTERM and SIGINT kill this process, for commands whose exit code must show that they are incomplete.
    static func kill() {
        for number in numbers { signal(number, SIG_DFL) }
    }
}
