// Lists the spool's jobs for IPP.

public import PrintIPP
public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the jobs that match a filter and are in the requested range of the list.
    public func jobs(_ filter: JobFilter, in range: JobListRange) async throws -> [Job] {
        try await spool.jobs(filter, in: range)
    }

    /// Returns a paginated list of the jobs that match a filter.
    ///
    /// Each page of the list is read only when the client requests that page.
    public func listing(_ filter: JobFilter, in range: JobListRange) async throws -> JobListParts {
        let reader = ListingReader(spool.listing(filter, in: range))
        return JobListParts { try await reader.next() }
    }

    /// Counts the jobs that match a filter.
    ///
    /// The result has separate counts of active, held and ended jobs, and of jobs that need attention.
    ///
    /// For a filter with job numbers, all counts are 0.
    public func jobCounts(_ filter: JobFilter) async throws -> JobCounts? {
        guard filter.ids == nil else { return JobCounts() }
        let troubled = try await troubledPrinters()
        // The number is read first, so that a change during the count makes the cached counts outdated.
        let commit = spool.commitCount
        if let known = counts.counts(filter, troubled, at: commit) { return known }
        let result = try await spool.countJobs(filter, troubledPrinters: troubled)
        counts.keep(result, of: filter, troubled, at: commit)
        return result
    }

    /// Returns, for each waiting job, the number of jobs that the same printer prints before that job.
    public func jobsBefore(_ jobs: [Job]) async throws -> [Int: Int] {
        try await spool.countWaitingBefore(jobs, order: scheduler.order)
    }

    /// Whether the queue order is fair.
    public var takesTurns: Bool { scheduler.order == .fair }

    /// Returns the printers that have stopped and are not paused.
    ///
    /// These printers require the attention of a person.
    public func troubledPrinters() async throws -> Set<String> {
        let rows = try await rows()
        let hosts = await recentHosts()
        let troubled = zip(rows, await quickStatuses(of: rows, hosts: hosts)).filter { row, seen in
            Self.status(row, seen: seen, hosts: hosts).needsAttention
        }
        return Set(troubled.map(\.0.name))
    }

    /// Returns the number of unfinished jobs; nil if the filter includes job numbers, ended jobs, or only some printers.
    ///
    /// Ended jobs are not counted, because counting a million jobs takes too long.
    public func countJobs(_ filter: JobFilter) async throws -> Int? {
        guard filter.which == .notCompleted, filter.ids == nil, filter.reach == nil else { return nil }
        return try await spool.countQueuedJobs(printer: filter.printer, owner: filter.owner)
    }
}

/// A job list reader that handles one request at a time.
private actor ListingReader {
    private var listing: JobListing

    init(_ listing: JobListing) { self.listing = listing }

    func next() async throws -> [Job]? {
        var current = listing
        let jobs = try await current.next()
        listing = current
        return jobs
    }
}
