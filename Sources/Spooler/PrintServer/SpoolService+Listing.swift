// The spool's jobs, as they are listed over IPP.

public import PrintIPP
public import PrintModel
import PrintSpool

extension SpoolService {
    /// Jobs: those that have not ended in the order of printing, those that have newest first.
    public func jobs(_ query: JobQuery) async throws(IPPFailure) -> [Job] {
        try await asFailure { () throws(SpoolError) in try await spool.jobs(JobFilter(query)) }
    }

    /// The same jobs, read from the spool as they are wanted.
    public func listing(_ query: JobQuery) async throws(IPPFailure) -> JobPages {
        let reader = ListingReader(spool.listing(JobFilter(query)))
        return JobPages { () async throws(IPPFailure) in try await reader.next() }
    }

    /// How many jobs have not ended; those that have may be a million, which nobody counts in passing.
    public func countJobs(_ query: JobQuery) async throws(IPPFailure) -> Int? {
        guard query.which == .notCompleted, query.ids == nil else { return nil }
        return try await asFailure { () throws(SpoolError) in
            try await spool.countQueuedJobs(printer: query.printer, owner: query.owner)
        }
    }
}

/// Reads a listing; one page at a time is asked for.
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

extension JobFilter {
    /// The jobs that a query asks for.
    init(_ query: JobQuery) {
        self.init(
            .all, printer: query.printer, owner: query.owner, ids: query.ids, after: query.after, limit: query.limit,
            offset: query.skip)
        switch query.which {
        case .all: break
        case .notCompleted: which = .notCompleted
        case .completed: which = .completed
        case .state(let wanted): state = wanted
        }
    }
}
