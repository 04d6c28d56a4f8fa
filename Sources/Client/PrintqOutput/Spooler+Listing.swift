// Lists of jobs, page by page.

package import IPP
package import SpoolerClient

extension Spooler {
    /// The attributes of jobs, in the order of the queue; those that have ended, the last one first.
    package func jobs(
        _ query: JobListing, _ names: [String] = JobView.listedNames
    ) async throws(SpoolerClientError) -> [AttributeGroup] {
        var jobs: [AttributeGroup] = []
        try await list(query, names) { jobs += $0 }
        return jobs
    }

    /// Asks for the same jobs page by page, so that any number of them takes no more memory than a page.
    ///
    /// Each page is as the queue is at that moment; printd keeps nothing in between.
    ///
    /// - Parameter onPage: called with the jobs of each page, of which there is at least one.
    /// - Returns: What the query's limit left out.
    @discardableResult
    package func list(
        _ query: JobListing, _ names: [String] = JobView.listedNames, onPage: ([AttributeGroup]) -> Void
    ) async throws(SpoolerClientError) -> Remainder {
        func size(after shown: Int) -> Int { min(Self.pageSize, (query.limit ?? .max) - shown) }
        var page = try await ask(query, after: nil, size(after: 0), names, isCounted: query.limit != nil)
        let count = page.count
        var shown = page.jobs.count
        while page.jobs.count == page.size, let place = page.place, shown != query.limit {
            // printd reads the next page while this one is shown.
            async let next = result(query, after: place, size(after: shown), names)
            onPage(page.jobs)
            page = try await next.get()
            shown += page.jobs.count
        }
        if !page.jobs.isEmpty { onPage(page.jobs) }
        guard page.jobs.count == page.size, let place = page.place else { return .none }
        if let count { return count > shown ? .jobs(count - shown) : .none }
        return try await ask(query, after: place, 1, ["job-id"]).jobs.isEmpty ? .none : .some
    }

    /// What a limit left out of a list.
    package enum Remainder: Sendable, Hashable {
        /// Nothing.
        case none
        /// So many jobs.
        case jobs(Int)
        /// Nobody has counted how many.
        case some
    }

    private static let pageSize = 500

    /// A page of a list.
    private struct Page: Sendable {
        var jobs: [AttributeGroup]
        /// How many jobs were asked for.
        var size: Int
        /// Where the list goes on.
        var place: String?
        /// How many jobs there are in all, when that was asked for and is known.
        var count: Int?
    }

    private func result(
        _ query: JobListing, after place: String, _ size: Int, _ names: [String]
    ) async -> Result<Page, SpoolerClientError> {
        do throws(SpoolerClientError) {
            return .success(try await ask(query, after: place, size, names))
        } catch {
            return .failure(error)
        }
    }

    private func ask(
        _ query: JobListing, after place: String?, _ size: Int, _ names: [String], isCounted: Bool = false
    ) async throws(SpoolerClientError) -> Page {
        var attributes = [
            Attribute("which-jobs", .keyword(query.which.rawValue)),
            Attribute("limit", .integer(Int32(clamping: size))),
        ]
        if query.isMine { attributes.append(Attribute("my-jobs", .boolean(true))) }
        if let place { attributes.append(Attribute("printq-after", .name(place))) }
        let answer = try await ask(
            .getJobs, printer: query.printer, attributes: attributes,
            requested: names + ["printq-place"] + (isCounted ? ["printq-job-count"] : []))
        var jobs = Array(answer.groups(.job).prefix(size))
        let last = jobs.last?.string("printq-place")
        for index in jobs.indices { jobs[index]["printq-place"] = nil }
        return Page(
            jobs: jobs, size: size, place: last,
            count: answer[.operation]?.integer("printq-job-count").map(Int.init))
    }
}

/// Which jobs to list.
package struct JobListing: Sendable {
    /// Parts of a job's life, in IPP's words.
    package enum Which: String, Sendable {
        /// Those that wait or print.
        case notCompleted = "not-completed"
        /// Those that have ended.
        case completed
        /// All.
        case all
        /// Those that are printed right now.
        case processing
        /// Those that have stopped on the way: the printer has stopped, or they wait for a person (PWG 5100.11 §5.5).
        case stopped = "processing-stopped"
    }

    /// In which part of their life.
    package var which: Which
    /// Of which printer; nil for all.
    package var printer: String?
    /// Whether only one's own.
    package var isMine: Bool
    /// At most so many; nil for all.
    package var limit: Int?

    /// A listing.
    package init(_ which: Which, printer: String? = nil, isMine: Bool = false, limit: Int? = nil) {
        self.which = which
        self.printer = printer
        self.isMine = isMine
        self.limit = limit
    }
}
