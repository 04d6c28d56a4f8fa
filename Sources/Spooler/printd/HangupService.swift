// Reloads the configuration when SIGHUP arrives.

import Glibc
import Logging
import ServiceLifecycle
import Systemd
import UnixSignals

/// A service that calls `reload` for each SIGHUP signal, and reports the reload to the service manager.
///
/// If printd was started in a terminal, the kernel also sends SIGHUP when the terminal is closed. In this case the
/// service ends, and printd exits.
struct HangupService: Service {
    private let notifier: ServiceNotifier
    private let logger: Logger
    /// The function that reads and applies the settings again, and logs problems.
    private let reload: @Sendable () async -> Void
    /// Whether standard error was a terminal when printd started.
    private let hadTerminal = isatty(STDERR_FILENO) == 1

    init(notifier: ServiceNotifier, logger: Logger, reload: @escaping @Sendable () async -> Void) {
        (self.notifier, self.logger, self.reload) = (notifier, logger, reload)
    }

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if hadTerminal, isatty(STDERR_FILENO) == 0 { return }
            notifier.sendReloading()
            logger.notice("reloading the settings")
            await reload()
            notifier.send(.ready)
        }
    }
}
