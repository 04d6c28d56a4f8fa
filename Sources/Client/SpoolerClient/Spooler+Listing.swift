// Lists jobs page by page.

package import IPP

extension Spooler {
    /// Returns the attributes of jobs, in the order of the queue.
    ///
    /// Ended jobs are sorted newest first.
    package func jobs(
        _ query: JobListQuery, _ names: [String] = JobView.listedNames
    ) async throws(SpoolerClientError) -> [AttributeGroup] {
        var jobs: [AttributeGroup] = []
        try await list(query, names) { jobs += $0 }
        return jobs
    }

    /// Returns the attributes of the jobs with the given numbers, in the order of the numbers.
    package func jobs(withIDs ids: [Int]) async throws(SpoolerClientError) -> [AttributeGroup] {
        var jobs: [AttributeGroup] = []
        for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
            var query = JobListQuery(.all)
            query.ids = Array(ids[start..<min(start + Self.pageSize, ids.count)])
            jobs += try await self.jobs(query)
        }
        let byID = Dictionary(jobs.map { (JobView($0).id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// Lists jobs page by page.
    ///
    /// Therefore the memory use does not depend on the number of jobs.
    ///
    /// Each page of the list shows the queue at the time when the page was requested. printd keeps no state between
    /// pages.
    ///
    /// - Parameter onPage: The function that is called with the jobs of each page. A page is never empty.
    /// - Returns: The number of jobs that the list omits because of the query's limit.
    @discardableResult
    package func list(
        _ query: JobListQuery, _ names: [String] = JobView.listedNames,
        onPage: ([AttributeGroup]) async throws(SpoolerClientError) -> Void
    ) async throws(SpoolerClientError) -> Remainder {
        if query.owner == user {
            var own = query
            (own.owner, own.isMine) = (nil, true)
            return try await list(own, names, onPage: onPage)
        }
        func size(after shown: Int) -> Int { min(Self.pageSize, (query.limit ?? .max) - shown) }
        var page = try await ask(query, after: nil, size(after: 0), names, isCounted: query.limit != nil)
        let count = page.count
        var shown = page.jobs.count
        while page.jobs.count == page.size, let place = page.place, shown != query.limit {
            // printd reads the next page while this page is shown.
            async let next = result(query, after: place, size(after: shown), names)
            try await onPage(page.jobs)
            page = try await next.get()
            shown += page.jobs.count
        }
        if !page.jobs.isEmpty { try await onPage(page.jobs) }
        guard page.jobs.count == page.size, let place = page.place else { return .none }
        if let count { return count > shown ? .jobs(count - shown) : .none }
        return try await ask(query, after: place, 1, ["job-id"]).jobs.isEmpty ? .none : .some
    }

    /// The number of jobs that a list omits because of a limit.
    package enum Remainder: Sendable, Hashable {
        /// A list that omits no jobs.
        case none
        /// A list that omits exactly this number of jobs.
        case jobs(Int)
        /// A list that omits at least one job; the exact number of omitted jobs is unknown.
        case some
    }

    /// The maximum number of jobs on a page.
    package static let pageSize = 500

    private struct Page: Sendable {
        var jobs: [AttributeGroup]
        /// The maximum number of jobs on the page.
        var size: Int
        /// The position of the page's last job, after which the list continues; nil for an empty page.
        var place: String?
        /// The total number of jobs; nil if the number is unknown or was not requested.
        var count: Int?
    }

    private func result(
        _ query: JobListQuery, after place: String, _ size: Int, _ names: [String]
    ) async -> Result<Page, SpoolerClientError> {
        do throws(SpoolerClientError) {
            return .success(try await ask(query, after: place, size, names))
        } catch {
            return .failure(error)
        }
    }

    private func ask(
        _ query: JobListQuery, after place: String?, _ size: Int, _ names: [String], isCounted: Bool = false
    ) async throws(SpoolerClientError) -> Page {
        var attributes = [
            Attribute("which-jobs", .keyword(query.which.rawValue)),
            Attribute("limit", .integer(Int32(clamping: size))),
        ]
        if query.isMine { attributes.append(Attribute("my-jobs", .boolean(true))) }
        if let owner = query.owner { attributes.append(Attribute("printq-owner", .name(owner))) }
        if let ids = query.ids { attributes.append(Attribute("job-ids", ids.map { .integer(Int32(clamping: $0)) })) }
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

/// The states of the jobs in a list, as IPP keywords (`which-jobs`).
public enum JobSelection: String, Sendable {
    /// Jobs that are waiting or printing.
    case notCompleted = "not-completed"
    /// Ended jobs.
    case completed
    /// Jobs that have not ended, then ended jobs.
    case all
    /// Jobs that are printing.
    case processing
    /// Jobs that have stopped during printing, because the jobs are suspended or their printer has stopped (PWG 5100.11
    /// §5.5).
    case stopped = "processing-stopped"
}

package struct JobListQuery: Sendable {
    /// The states of the jobs to list.
    package var which: JobSelection
    /// The printer of the jobs; nil for all printers.
    package var printer: String?
    /// Whether to list only the user's jobs.
    package var isMine: Bool
    /// The owner of the jobs; nil for all owners.
    package var owner: String?
    /// The numbers of the jobs; nil for jobs with any number.
    package var ids: [Int]?
    /// The maximum number of jobs; nil for no limit.
    package var limit: Int?

    package init(
        _ which: JobSelection, printer: String? = nil, isMine: Bool = false, owner: String? = nil, limit: Int? = nil
    ) {
        self.which = which
        self.owner = owner
        self.printer = printer
        self.isMine = isMine
        self.limit = limit
    }
}
