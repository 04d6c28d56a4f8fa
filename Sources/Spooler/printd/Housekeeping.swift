// Runs the worker pool and deletes old jobs.

import Logging
import PrintSpool
import PrintWork
import ServiceLifecycle

/// The worker pool as a service.
struct WorkerService: Service {
    let pool: ConvertingWorkerPool

    func run() async throws {
        await withGracefulShutdownHandler {
            await pool.run()
        } onGracefulShutdown: {
            pool.shutdown()
        }
    }
}

/// A service that deletes old and excess ended jobs every minute.
///
/// Every hour, the service deletes expired documents and orphaned files.
struct Housekeeping: Service {
    let spool: Spool
    let settings: SpoolSettings
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var minute = 0
            while !Task.isCancelled {
                do {
                    try await spool.purge(keepJobs: settings.keepJobs, keepSeconds: settings.keepDays * 86400)
                    try await spool.purgeAccounting(keepSeconds: settings.keepAccountingDays * 86400)
                    if minute % 60 == 0 { try await tidy() }
                } catch {
                    logger.error("cannot clean up the history", metadata: ["error": "\(error)"])
                }
                minute += 1
                guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
            }
        }
    }

    private func tidy() async throws {
        if let seconds = settings.keepDocuments.seconds { try await spool.dropDocuments(keepSeconds: seconds) }
        let orphans = try await spool.sweep()
        if orphans > 0 { logger.notice("orphaned files removed", metadata: ["count": "\(orphans)"]) }
    }
}
