// Renews the leases of the printers that this host drives.

public import Logging
import PrintModel
public import PrintSpool
public import ServiceLifecycle

/// The service that renews the leases of this host in a shared spool, and reports to the other hosts that this host is
/// alive.
///
/// After a failed renewal, the service tries again after 200 milliseconds. Jobs in progress continue. After the leases
/// have expired, the scheduler starts no jobs.
public struct LeaseRenewal: Service {
    private let spool: Spool
    private let logger: Logger
    private let sleeper: any Clock<Duration>

    /// Creates the service for a shared spool.
    public init(spool: Spool, logger: Logger, sleeper: any Clock<Duration> = ContinuousClock()) {
        (self.spool, self.logger, self.sleeper) = (spool, logger, sleeper)
    }

    /// Renews the leases until a graceful shutdown begins, and then ends the leases.
    ///
    /// - Throws: `SpoolError` with the code `locked` if another process uses the same host name.
    public func run() async throws {
        try await cancelWhenGracefulShutdown { try await renew() }
        // Other hosts take the printers at once.
        do throws(SpoolError) {
            try await spool.endLeases()
        } catch {
            logger.warning("the leases of the printers could not be ended", metadata: ["error": "\(error)"])
        }
    }

    /// Logs the beginning and the end of each restriction of the database once.
    private func noteWarnings(_ known: inout Set<String>) {
        let warnings = spool.databaseWarnings
        for warning in warnings where known.insert(warning.check).inserted {
            logger.warning("\(warning.message)", metadata: warning.advice.map { ["advice": "\($0)"] })
        }
        for check in known.subtracting(warnings.map(\.check)) {
            logger.notice("resolved: \(check)")
            known.remove(check)
        }
    }

    /// Renews the leases until the task is canceled.
    ///
    /// - Throws: `SpoolError` with the code `locked` if another process uses the same host name.
    package func renew() async throws {
        var isFailing = false
        var warned: Set<String> = []
        while !Task.isCancelled {
            do throws(SpoolError) {
                try await spool.renewLeases()
                noteWarnings(&warned)
                if isFailing { logger.notice("the leases of the printers are renewed again") }
                isFailing = false
            } catch {
                if Task.isCancelled { return }
                guard error.code != .locked else { throw error }
                if !isFailing {
                    logger.error(
                        "the leases of the printers cannot be renewed; trying again", metadata: ["error": "\(error)"])
                }
                isFailing = true
            }
            try? await sleeper.sleep(for: isFailing ? .milliseconds(200) : Spool.leaseInterval)
        }
    }
}
