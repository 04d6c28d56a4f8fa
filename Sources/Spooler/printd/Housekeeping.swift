// What runs beside the queue: the workers, and the history's end.

import Logging
import PrintSpool
import PrintWork
import ServiceLifecycle

/// The worker pool as a service.
struct WorkerService: Service {
    let pool: WorkerPool

    func run() async throws {
        await withGracefulShutdownHandler {
            await pool.run()
        } onGracefulShutdown: {
            pool.shutdown()
        }
    }
}

/// Forgets jobs that ended long ago, or are too many, once a minute; once an hour documents that are not to be kept, and
/// files that are nobody's.
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
                    logger.error("the history cannot be tidied", metadata: ["error": "\(error)"])
                }
                minute += 1
                guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
            }
        }
    }

    private func tidy() async throws {
        if let seconds = settings.keepDocuments.seconds { try await spool.dropDocuments(keepSeconds: seconds) }
        let orphans = try await spool.sweep()
        if orphans > 0 { logger.notice("files of nobody removed", metadata: ["count": "\(orphans)"]) }
    }
}
