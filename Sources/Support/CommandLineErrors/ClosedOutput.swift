// Ends a program whose reader has closed the program's output.

import Glibc

/// The end of a program whose standard output nobody reads any more, as in `printq queue | head`.
package enum ClosedOutput {
    /// Ends this process by `SIGPIPE`, as the default action does in `ls | head`.
    ///
    /// The network library ignores the signal, therefore a write fails with `EPIPE` instead.
    package static func end() -> Never {
        signal(SIGPIPE, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}
