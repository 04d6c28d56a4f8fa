// Lists the spool's jobs for IPP.

public import PrintIPP
public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the jobs of a list.
    public func jobs(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> [Job] {
        try await asFailure { () throws(SpoolError) in try await spool.jobs(filter, in: range) }
    }

    /// Returns the jobs of a list page by page.
    ///
    /// Each page is read from the spool when it is requested.
    public func listing(_ filter: JobFilter, in range: JobListRange) async throws(IPPFailure) -> JobPages {
        let reader = ListingReader(spool.listing(filter, in: range))
        return JobPages { () async throws(IPPFailure) in try await reader.next() }
    }

    /// Returns the number of unfinished jobs; nil for a filter with ended jobs, because counting a million jobs takes
    /// too long.
    public func countJobs(_ filter: JobFilter) async throws(IPPFailure) -> Int? {
        guard filter.which == .notCompleted, filter.ids == nil else { return nil }
        return try await asFailure { () throws(SpoolError) in
            try await spool.countQueuedJobs(printer: filter.printer, owner: filter.owner)
        }
    }
}

/// The reader of a listing, for one request at a time.
private actor ListingReader {
    private var listing: JobListing

    init(_ listing: JobListing) { self.listing = listing }

    func next() async throws(IPPFailure) -> [Job]? {
        var current = listing
        do throws(SpoolError) {
            let jobs = try await current.next()
            listing = current
            return jobs
        } catch {
            throw IPPFailure(error)
        }
    }
}
