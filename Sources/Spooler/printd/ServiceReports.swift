// Reports the state of the spooler to the service manager.

import Logging
import PrintModel
import PrintServer
import PrintSpool
import ServiceLifecycle
import Systemd

/// A service that sends messages to the service manager: the status of the queue, the watchdog messages, and the
/// notification that `printd` is stopping.
///
/// Place this service last in its service group, so that the service shuts down first.
struct ServiceReports: Service {
    let notifier: ServiceNotifier
    let spool: Spool
    let health: SpoolHealth
    let logger: Logger

    /// The minimum time between two status messages about the queue.
    private static let statusPause = Duration.seconds(5)
    /// The time after which a failed health check is repeated.
    private static let retryPause = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let watching: Void = watch()
            await reportStatus()
            await watching
        }
        notifier.send(.stopping, .status("Stopping"))
    }

    /// Sends a watchdog message whenever half of the watchdog's timeout has passed, as long as the spooler responds.
    ///
    /// If the scheduler or the database does not respond, no message is sent, and the service manager restarts printd.
    private func watch() async {
        guard let pause = notifier.watchdog.map({ $0 / 2 }) else { return }
        while !Task.isCancelled {
            let responds = await health.responds()
            guard !Task.isCancelled else { return }
            if responds {
                notifier.send(.watchdog)
            } else {
                logger.error("the scheduler or the database does not respond; the watchdog was not notified")
            }
            try? await Task.sleep(for: responds ? pause : min(pause, Self.retryPause))
        }
    }

    private func reportStatus() async {
        var sent = ""
        var changes = spool.changes().makeAsyncIterator()
        repeat {
            if let text = await statusText, text != sent {
                notifier.send(.status(text))
                sent = text
            }
            try? await Task.sleep(for: Self.statusPause)
        } while await changes.next() != nil
    }

    /// A summary of the queue; nil if the database cannot be read.
    private var statusText: String? {
        get async {
            guard let counts = try? await spool.countUnfinishedJobs(), let printers = try? await spool.printers().count
            else { return nil }
            func jobs(_ isMeant: (JobState) -> Bool) -> Int {
                counts.reduce(0) { $0 + (isMeant($1.state) ? $1.jobs : 0) }
            }
            let printing = jobs { $0 == .processing }
            let stopped = jobs { $0 == .processingStopped }
            let waiting = jobs { $0 == .pending || $0 == .pendingHeld }
            return "Jobs: \(printing) printing, \(waiting) waiting, \(stopped) stopped. Printers: \(printers)."
        }
    }
}
