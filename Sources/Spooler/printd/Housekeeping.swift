// Runs the worker pool and deletes old jobs.

import Logging
import PrintPages
import PrintServer
import PrintSpool
import PrintWork
import ServiceLifecycle
import SpoolConfiguration

/// A service that runs the worker pool.
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

/// A service that starts when printd listens, so that clients do not wait for the start of the service.
struct LateService: Service {
    let listeners: Listeners
    let service: any Service

    func run() async throws {
        await cancelWhenGracefulShutdown { await listeners.waitUntilReady() }
        try await service.run()
    }
}

/// A service that removes page images and uploads that the Print Center no longer requires.
struct PageService: Service {
    let pages: SpoolPages
    let uploads: UploadFolder

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let showing: Void = pages.run()
            await uploads.run()
            await showing
        }
    }
}

/// A service that deletes old jobs, accounting entries and files of the spool.
///
/// Every minute, the service deletes the ended jobs that exceed the configured age or number, and expired accounting
/// entries, and renews the reserve of space. Every hour, the service deletes expired documents and orphaned files.
struct Housekeeping: Service {
    let spool: Spool
    let service: SpoolService
    let configuration: LiveConfiguration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var minute = 0
            while !Task.isCancelled {
                let settings = configuration.settings
                try? await spool.renewReserve()
                await service.forgetRemovedPrinters()
                do {
                    try await spool.purge(keepJobs: settings.keepJobs, keepSeconds: settings.keepDays * 86400)
                    try await spool.purgeAccounting(keepSeconds: settings.keepAccountingDays * 86400)
                    if minute % 60 == 0 { try await tidy(settings) }
                } catch {
                    logger.error("cannot clean up the history", metadata: ["error": "\(error)"])
                }
                minute += 1
                guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
            }
        }
    }

    private func tidy(_ settings: SpoolSettings) async throws {
        if let seconds = settings.keepDocuments.seconds { try await spool.dropDocuments(keepSeconds: seconds) }
        let orphans = try await spool.sweep()
        if orphans > 0 { logger.notice("orphaned files removed", metadata: ["count": "\(orphans)"]) }
    }
}
