// Reads the state of a spool for `printq status`.

package import IPP
import PrintIPP
package import PrintModel
package import SpoolerClient

/// The state of a spool: its printd, its printers and its jobs.
package struct SpoolStatus: Sendable {
    /// The attributes that describe printd and the queue.
    package var server: AttributeGroup
    /// The attributes of printd's printers.
    package var printers: [AttributeGroup]
    /// The attributes of jobs that are printing or stopped; at most `mostJobs` jobs of each state.
    package var jobs: [AttributeGroup]
    /// The attributes of the job that has been waiting for the longest time; nil if no job is waiting.
    package var oldest: AttributeGroup?
    /// The attributes of the jobs that were aborted during the last day, newest first; only the last `searchedJobs`
    /// ended jobs are searched.
    package var errors: [AttributeGroup] = []
    /// The reason why printq uses this spool; nil if the reason is unknown.
    package var selection: String?
    /// The size and the free space of the spool's disk; nil if the disk space cannot be determined.
    var disk: DiskSpace?

    /// The names of the attributes that describe printd and the queue.
    package static let serverNames = [
        "printq-spool", "printq-process", "printq-version", "printq-start-time", "printq-listening",
        "printq-listening-security", "printq-listening-problem", "printq-center-address", "printq-job-counts",
        "printq-oldest-waiting-job", "printq-schema-version", "printq-host-name", HostList.hostsName,
        HostList.placementsName,
    ]

    /// The maximum number of jobs that are read for each state.
    private static let mostJobs = 20
    /// The number of recently ended jobs that are searched for aborted jobs.
    private static let searchedJobs = 50
    /// The maximum age, in seconds, of an aborted job that is shown.
    private static let errorAge = 86_400.0

    package init(server: AttributeGroup, printers: [AttributeGroup], jobs: [AttributeGroup]) {
        (self.server, self.printers, self.jobs) = (server, printers, jobs)
    }

    /// Reads the status of a spool.
    ///
    /// - Parameter now: The current time.
    package init(of queue: Spooler, now: UnixTime) async throws(SpoolerClientError) {
        server = try await queue.printer(nil, Self.serverNames)
        printers = try await queue.ask(.cupsGetPrinters, requested: PrinterView.attributeNames).groups(.printer)
        jobs = try await queue.jobs(JobListQuery(.processing, limit: Self.mostJobs))
        jobs += try await queue.jobs(JobListQuery(.stopped, limit: Self.mostJobs))
        if let id = server.integer("printq-oldest-waiting-job") {
            // The job may have ended since the last request.
            oldest = try? await queue.job(Int(id), JobView.followedNames)
        }
        errors = try await queue.jobs(JobListQuery(.completed, limit: Self.searchedJobs)).filter { group in
            let job = JobView(group)
            return job.state == .aborted && job.completedAt.map { $0 > now - Self.errorAge } ?? false
        }
        disk = server.string("printq-spool").flatMap(DiskSpace.init(of:))
    }

    /// The number of unfinished jobs in each state, by IPP keyword; nil if printd is an older version that does not
    /// report these numbers.
    var counts: [(state: String, jobs: Int)]? {
        server["printq-job-counts"]?.first?.collectionValue.map { collection in
            collection.members.compactMap { member in member.first?.intValue.map { (member.name, Int($0)) } }
        }
    }

    /// The number of jobs that are waiting or held.
    package var waitingJobs: Int {
        if let counts {
            return counts.filter { ["pending", "pending-held"].contains($0.state) }.reduce(0) { $0 + $1.jobs }
        }
        // An earlier printd counts only the jobs of each printer.
        return max(0, printers.map { PrinterView($0).queuedJobs }.reduce(0, +) - jobs.count)
    }

    /// The addresses of printd.
    ///
    /// The socket comes first, followed by the TCP addresses.
    package var addresses: [String] { server.strings("printq-listening").map(\.printable) }

    /// The time at which printd started, in seconds since 1970; nil if unknown.
    var startTime: UnixTime? { (server["printq-start-time"]?.dateTimeValue?.unixTime).map(UnixTime.init) }

    package var json: JSONText {
        func jobs(_ groups: [AttributeGroup]) -> JSONText { .array(groups.map { JSONText($0.attributes) }) }
        return .object(
            (selection.map { [("spool-selection", .string($0))] } ?? [])
                + server.attributes.filter { Self.serverNames.contains($0.name) }.map { ($0.name, JSONText($0)) } + [
                    ("disk", disk?.json ?? .null),
                    ("printers", .array(printers.map { JSONText($0.attributes) })), ("jobs", jobs(self.jobs)),
                    ("waiting-jobs", .number(waitingJobs)),
                    ("oldest-waiting-job", oldest.map { JSONText($0.attributes) } ?? .null), ("errors", jobs(errors)),
                ])
    }
}
