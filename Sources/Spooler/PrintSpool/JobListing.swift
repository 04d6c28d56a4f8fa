// A list of jobs that is read page by page.

public import PrintModel

/// A list of jobs that is read page by page.
///
/// The first page determines which jobs are in the list, and their order. Therefore, if jobs change during the reading,
/// no job is missing or listed twice. Each page contains the state of its jobs at the time when the page is read.
/// Removed jobs are omitted.
///
///     var listing = spool.listing(JobFilter(.all))
///     while let jobs = try await listing.next() { show(jobs) }
///
/// The positions of unfinished jobs may change. Therefore the ids of all unfinished jobs are read with the first page,
/// with eight bytes for each job. The positions of ended jobs do not change. Each page of ended jobs begins after the
/// last job of the previous page, which SQLite finds with an index.
public struct JobListing: Sendable {
    private let spool: Spool
    private let filter: JobFilter
    private let start: QueuePosition?
    private let parts: JobParts
    /// The maximum number of jobs on all further pages together.
    private var remaining: Int
    /// The number of jobs to omit at the start of the list.
    private var offset: Int
    /// The ids of the unfinished jobs for further pages; nil before the first page.
    private var unfinished: ArraySlice<Int>?
    /// The position of the last listed ended job; nil if the list has no further ended jobs.
    private var endedAfter: EndPosition?

    init(_ filter: JobFilter, in range: JobListRange, of spool: Spool) {
        self.spool = spool
        self.filter = filter
        start = range.after
        parts = range.parts
        remaining = max(0, range.limit ?? .max)
        offset = max(0, range.offset)
    }

    /// Returns the next page with at least one job; nil at the end of the list.
    ///
    /// - Parameter count: The maximum number of jobs in the page; nil for a number that depends on the size of the jobs.
    public mutating func next(_ count: Int? = nil) async throws(SpoolError) -> [Job]? {
        guard !isAtEnd else { return nil }
        let count = count ?? (parts.isEmpty ? 1000 : 200)
        let before = self
        let (page, after) = try await spool.read { snapshot in
            var listing = before
            let page = try listing.next(count, in: snapshot)
            return (page, listing)
        }
        self = after
        return page
    }

    private var isAtEnd: Bool { remaining == 0 || unfinished?.isEmpty == true && endedAfter == nil }

    /// Returns the next page with at least one job; nil at the end of the list.
    mutating func next(_ count: Int, in snapshot: any SpoolSnapshot) throws -> [Job]? {
        if unfinished == nil { try begin(in: snapshot) }
        // A page is empty if all its jobs have been removed since the first page was read.
        while remaining > 0, let page = try page(min(count, remaining), in: snapshot) {
            if !page.isEmpty { return page }
        }
        return nil
    }

    private mutating func page(_ count: Int, in snapshot: any SpoolSnapshot) throws -> [Job]? {
        if let ids = unfinished?.prefix(count), !ids.isEmpty {
            unfinished?.removeFirst(ids.count)
            remaining -= ids.count
            return try snapshot.jobs(withIDs: Array(ids), parts)
        }
        guard let endedAfter else { return nil }
        let jobs = try snapshot.endedJobs(filter, after: endedAfter, limit: count, offset: offset, parts)
        offset = 0
        remaining -= jobs.count
        self.endedAfter = jobs.last.flatMap { last in last.completedAt.map { EndPosition(endedAt: $0, id: last.id) } }
        return jobs.isEmpty ? nil : jobs
    }

    // MARK: - The first page

    private mutating func begin(in snapshot: any SpoolSnapshot) throws {
        var ids: [Int] = []
        if let wanted = filter.ids {
            ids = try positions(of: wanted, in: snapshot).sorted().map(\.id)
            unfinished = ids.dropFirst(min(offset, ids.count)).prefix(remaining)
            return
        }
        let parts = filter.which.parts.filter { part in start.map { $0.part.rawValue <= part.rawValue } ?? true }
        for part in parts where part != .ended && ids.count < remaining {
            let found = try snapshot.unfinishedJobs(
                part, filter, after: start, limit: remaining - ids.count, offset: offset)
            if offset > 0, found.isEmpty { offset -= try snapshot.countUnfinishedJobs(part, filter, after: start) }
            if !found.isEmpty { offset = 0 }
            ids += found
        }
        unfinished = ids[...]
        guard parts.contains(.ended), ids.count < remaining else { return }
        if let start, start.part == .ended {
            endedAfter = EndPosition(endedAt: start.endedAt, id: start.id)
        } else {
            // Jobs that end while the list is read are already in the list of unfinished jobs.
            endedAfter = try snapshot.newestEndedJob().map { EndPosition(endedAt: $0.endedAt, id: $0.id + 1) }
        }
    }

    /// Returns the positions of the jobs with the given ids.
    ///
    /// The result omits jobs that do not match the filter.
    private func positions(of ids: [Int], in snapshot: any SpoolSnapshot) throws -> [QueuePosition] {
        try snapshot.positions(ofJobs: ids, filter).filter { job in
            filter.which.contains(job.state) && start.map { $0 < job.position } ?? true
        }.map(\.position)
    }
}
