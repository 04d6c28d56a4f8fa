// Runs all checks of `printq doctor`.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import PrintIPP
import PrintModel
import ProcessLaunch
package import SpoolerClient

/// The health checks of a spool, which run with or without a running printd.
package struct DoctorRun: Sendable {
    private let place: SpoolLocation
    private let limit: Duration

    /// Creates the checks of a spool.
    ///
    /// - Parameter limit: The timeout for the checks that printd runs.
    package init(of place: SpoolLocation, limit: Duration = .seconds(20)) {
        (self.place, self.limit) = (place, limit)
    }

    /// Runs the checks.
    ///
    /// This function does not start the daemon. If printd is not running, `printd --check` checks the workers and
    /// converters.
    package func report() async -> DoctorReport {
        var findings: [HealthFinding] = []
        var isRunning = false
        do throws(SpoolerClientError) {
            isRunning = try DaemonLauncher(place: place, program: DaemonLauncher.program()).answers()
            findings = isRunning ? await askDaemon() : runStandalone()
        } catch {
            findings = [HealthFinding(.daemon, "socket", .error, error.message)]
        }
        // A running printd checks the same subjects with its own rights.
        let known = Set(findings.map(\.check))
        let otherJobs = await place.otherJobsWarning()
        let local = LocalChecks(place: place, isRunning: isRunning, otherJobs: otherJobs).findings()
        return DoctorReport(local.filter { !known.contains($0.check) } + findings, spool: place.path)
    }

    /// Requests the check results from the running printd.
    private func askDaemon() async -> [HealthFinding] {
        let queue = Spooler(withoutStarting: place)
        let names = [HealthFinding.linesName, HealthFinding.checksName]
        let answer = await outcome(within: limit) { () async -> Result<AttributeGroup, SpoolerClientError> in
            do throws(SpoolerClientError) {
                return .success(try await queue.printer(nil, names))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let group): return HealthFinding.read(group)
        case .failure(let error): return [HealthFinding(.daemon, "printd", .error, error.message)]
        case nil:
            // The reason may be a shared database that does not respond. The rights of this user may not suffice for the
            // database of the system spooler.
            let mayConnect = !place.isSystem || geteuid() == 0
            let database = mayConnect ? runStandalone().filter { $0.check == "database-server" } : []
            return [
                HealthFinding(
                    .daemon, "printd", .error, "printd did not respond within \(limit.components.seconds) s",
                    advice: "see the log of printd with 'printq log --daemon', or restart printd")
            ] + database
        }
    }

    /// Returns the results of `printd --check`.
    private func runStandalone() -> [HealthFinding] {
        // A missing printd is an error of the local checks.
        guard let program = DaemonLauncher.program() else { return [] }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let file = place.configuration
        let configuration = access(file, F_OK) == 0 ? ["--configuration", file] : []
        do {
            let process = try InteractiveProcess(
                program: program, arguments: ["--check", "--spool", place.path] + configuration,
                environment: environment, errors: "/dev/null")
            let line = try process.line(longest: 1 << 20, until: .now + limit)
            return try JSONDecoder().decode([HealthFinding].self, from: Data(line))
        } catch let error as LaunchError {
            return [HealthFinding(.documents, "worker", .error, error.description)]
        } catch {
            return [
                HealthFinding(
                    .documents, "worker", .warning, "'printd --check' returned no result: \(error)",
                    advice: "run 'printd --check' to see the messages")
            ]
        }
    }
}

extension Spooler {
    /// Creates a client of a spool for the current user.
    ///
    /// The client does not start printd.
    ///
    /// A request throws `SpoolerClientError` with `unavailable` if printd is not running.
    package init(withoutStarting place: SpoolLocation) {
        self.init(client: UnixSocketClient(path: place.socket), user: UserAccounts.name(of: getuid())) {
            () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "printd is not running for the spool '\(place.path.printable)'")
        }
    }
}
