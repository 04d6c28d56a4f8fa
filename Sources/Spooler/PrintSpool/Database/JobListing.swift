// A list of jobs, page by page.

public import PrintModel

/// A list of jobs that is read page by page.
///
/// Which jobs it names, and in which order, is settled at the first page: none is left out or named twice because it
/// moved meanwhile. How they are is told as of each page; those that are gone by then are left out.
///
///     var listing = spool.listing(JobFilter(.all))
///     while let jobs = try await listing.next() { show(jobs) }
public struct JobListing: Sendable {
    private let spool: Spool
    private var cursor: JobCursor

    init(_ filter: JobFilter, of spool: Spool) {
        self.spool = spool
        cursor = JobCursor(filter)
    }

    /// The next jobs, at least one and at most so many; nil at the end.
    public mutating func next(_ count: Int = 200) async throws(SpoolError) -> [Job]? {
        guard !cursor.isAtEnd else { return nil }
        let before = cursor
        let (page, after) = try await spool.read { db in
            var cursor = before
            let page = try cursor.next(count, in: db)
            return (page, cursor)
        }
        cursor = after
        return page
    }
}
