// Tests paged lists of jobs.

import PrintModel
import PrintSpool
import Testing

struct ListingTests {
    let files = TestSpool()

    /// Returns a spool with seven jobs: job 2 is in progress, 3, 1 and 4 are waiting, and 5, 6 and 7 have ended.
    private func busySpool() async throws -> Spool {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (number, priority) in [50, 50, 90, 20, 50, 50, 50].enumerated() {
            try await spool.submit(
                "\(number + 1)", to: number % 2 == 0 ? "laser" : "photo", owner: number < 4 ? "ada" : "bob",
                priority: priority)
        }
        try await spool.change(2, .claimed)
        for id in 5...7 {
            files.clock.advance(by: 1)
            try await spool.complete(id)
        }
        return spool
    }

    private func pages(_ listing: JobListing, of count: Int) async throws -> [[Int]] {
        var listing = listing
        var pages: [[Int]] = []
        while let jobs = try await listing.next(count) { pages.append(jobs.map(\.id)) }
        return pages
    }

    @Test func `a job list is returned in pages, and ended jobs follow the jobs that have not ended`() async throws {
        let spool = try await busySpool()
        #expect(try await pages(spool.listing(JobFilter(.all)), of: 3) == [[2, 3, 1], [4], [7, 6, 5]])
        #expect(try await pages(spool.listing(JobFilter(.all)), of: 2) == [[2, 3], [1, 4], [7, 6], [5]])
        #expect(try await pages(spool.listing(JobFilter(.completed), in: JobListRange(limit: 2)), of: 5) == [[7, 6]])
        #expect(try await pages(spool.listing(JobFilter(.all, owner: "nobody")), of: 5) == [])
    }

    @Test func `a job list contains only jobs of printers in reach, and of hidden printers only the reader's jobs`()
        async throws
    {
        let spool = try await busySpool()
        func listed(_ reach: JobReach, ids: [Int]? = nil) async throws -> [Int] {
            var filter = JobFilter(.all, ids: ids)
            filter.reach = reach
            guard ids == nil else { return try await spool.jobs(filter).map(\.id) }
            let counts = try await spool.countJobs(filter, troubledPrinters: [])
            let found = try await spool.jobs(filter).map(\.id)
            #expect(counts.all == found.count)
            return found
        }
        #expect(try await listed(JobReach(printers: ["laser"], reader: "ada")) == [3, 1, 7, 5])
        #expect(try await listed(JobReach(printers: [], reader: "ada")) == [])
        #expect(try await listed(JobReach(hidden: ["laser"], reader: "ada")) == [2, 3, 1, 4, 6])
        #expect(try await listed(JobReach(hidden: ["laser", "photo"], reader: "bob")) == [7, 6, 5])
        #expect(try await listed(JobReach(printers: ["photo"], hidden: ["photo"], reader: "bob")) == [6])
        #expect(try await listed(JobReach(printers: ["photo"], reader: "ada"), ids: [1, 2, 6]) == [2, 6])
    }

    @Test(arguments: 0...8)
    func `an offset of a job list skips the given number of jobs, including ended jobs`(offset: Int) async throws {
        let spool = try await busySpool()
        let all = [2, 3, 1, 4, 7, 6, 5]
        #expect(
            try await spool.jobs(JobFilter(.all), in: JobListRange(offset: offset)).map(\.id)
                == Array(all.dropFirst(offset)))
        #expect(
            try await spool.jobs(JobFilter(.all), in: JobListRange(limit: 2, offset: offset)).map(\.id)
                == Array(all.dropFirst(offset).prefix(2)))
        #expect(
            try await spool.jobs(JobFilter(.all, ids: [7, 1, 2, 4]), in: JobListRange(offset: offset)).map(\.id)
                == Array([2, 1, 4, 7].dropFirst(offset)))
    }

    @Test func `a job list can continue after the position of any job, even if the job was removed`() async throws {
        let spool = try await busySpool()
        let all = try await spool.jobs(JobFilter(.all))
        for (index, job) in all.enumerated() {
            let rest = try await spool.jobs(JobFilter(.all), in: JobListRange(after: QueuePosition(job)))
            #expect(rest == Array(all.dropFirst(index + 1)))
            let some = try await spool.jobs(
                JobFilter(.all, ids: [1, 2, 6]), in: JobListRange(after: QueuePosition(job)))
            #expect(some.map(\.id) == all.dropFirst(index + 1).map(\.id).filter { [1, 2, 6].contains($0) })
        }
        try await spool.purge(keepJobs: 2)
        #expect(
            try await spool.jobs(JobFilter(.completed), in: JobListRange(after: QueuePosition(all[4]))).map(\.id) == [6]
        )
        let ours = try await spool.jobs(
            JobFilter(.all, printer: "photo"), in: JobListRange(after: QueuePosition(all[0])))
        #expect(ours.map(\.id) == [4, 6])
    }

    @Test func `a filter by state returns only the jobs in this state`() async throws {
        let spool = try await busySpool()
        try await spool.change(1, .holdRequested(until: nil))
        try await spool.change(4, .cancelRequested(byOperator: false))
        #expect(try await spool.jobs(JobFilter(.state(.pending))).map(\.id) == [3])
        #expect(try await spool.jobs(JobFilter(.state(.pendingHeld))).map(\.id) == [1])
        #expect(try await spool.jobs(JobFilter(.state(.processing))).map(\.id) == [2])
        #expect(try await spool.jobs(JobFilter(.state(.canceled))).map(\.id) == [4])
        #expect(try await spool.jobs(JobFilter(.state(.completed)), in: JobListRange(limit: 2)).map(\.id) == [7, 6])
    }

    @Test func `a list of job numbers contains only jobs that match the other conditions of the filter`() async throws {
        let spool = try await busySpool()
        try await spool.change(1, .holdRequested(until: nil))
        func ids(_ change: (inout JobFilter) -> Void) async throws -> [Int] {
            var filter = JobFilter(.all, ids: Array(1...7))
            change(&filter)
            return try await spool.jobs(filter).map(\.id)
        }
        #expect(try await ids { $0.isHeld = true } == [1])
        #expect(try await ids { $0.isHeld = false } == [2, 3, 4, 7, 6, 5])
        #expect(try await ids { $0.troubledPrinters = ["photo"] } == [2, 4])
        #expect(try await ids { $0.search = JobSearch("PHOTO", reader: nil) } == [2, 4, 6])
        #expect(try await ids { $0.search = JobSearch("bob", reader: "ada") } == [])
        #expect(try await ids { ($0.printer, $0.owner) = ("photo", "bob") } == [6])
    }

    @Test func `a list without parts has the order and the base properties of the whole jobs`() async throws {
        let spool = try await busySpool()
        var range = JobListRange()
        let whole = try await spool.jobs(JobFilter(.all))
        range.parts = [.documents]
        let withDocuments = try await spool.jobs(JobFilter(.all), in: range)
        #expect(withDocuments.map(\.documents) == whole.map(\.documents))
        #expect(whole.contains { !$0.documents.isEmpty })
        range.parts = []
        let bare = try await spool.jobs(JobFilter(.all), in: range)
        #expect(bare.allSatisfy { $0.documents.isEmpty && $0.ticket == JobTicket() })
        #expect(bare.map(\.id) == whole.map(\.id))
        #expect(bare.map(\.uuid) == whole.map(\.uuid))
        #expect(bare.map(\.printer) == whole.map(\.printer))
        #expect(bare.map(\.owner) == whole.map(\.owner))
        #expect(bare.map(\.name) == whole.map(\.name))
        #expect(bare.map(\.state) == whole.map(\.state))
        #expect(bare.map(\.message) == whole.map(\.message))
        #expect(bare.map(QueuePosition.init) == whole.map(QueuePosition.init))
        #expect(bare.map(\.createdAt) == whole.map(\.createdAt))
    }

    @Test func `even if the position of a job changes while a list is read, the job is returned only once`()
        async throws
    {
        let spool = try await busySpool()
        var listing = spool.listing(JobFilter(.all))
        #expect(try await listing.next(2)?.map(\.id) == [2, 3])
        // Job 1 starts and moves before the jobs already read. Jobs 4 and 2 end and move into the unread part.
        try await spool.change(1, .claimed)
        files.clock.advance(by: 1)
        try await spool.complete(4)
        try await spool.complete(2)
        let rest = try await listing.next(2) ?? []
        #expect(rest.map(\.id) == [1, 4])
        #expect(rest.map(\.state) == [.processing, .completed])
        #expect(try await listing.next(5)?.map(\.id) == [7, 6, 5])
        #expect(try await listing.next(5) == nil)
    }

    @Test func `if jobs are removed while a list is read, the jobs are skipped, and the list continues`() async throws {
        let spool = try await busySpool()
        var listing = spool.listing(JobFilter(.all))
        #expect(try await listing.next(1)?.map(\.id) == [2])
        for id in [3, 1] { try await spool.complete(id) }
        files.clock.advance(by: 100)
        try await spool.purge(keepSeconds: 10)
        #expect(try await listing.next(2)?.map(\.id) == [4])
        #expect(try await listing.next(2) == nil)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `1,000 jobs are purged in several transactions, and a job can be submitted between the transactions`()
        async throws
    {
        let spool = try await files.open()
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await spool.submit().id } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for id in ids { try await spool.complete(id) }
        let reader = try Database(files).startReader()
        defer { reader.terminate() }
        let before = try Database(files).commits()
        async let purged = spool.purge(keepJobs: 10)
        let job = try await spool.submit("between")
        #expect(try await purged.count == 990)
        #expect(try Database(files).commits() - before >= 10)
        #expect(try await spool.jobs(JobFilter(.all)).count == 11)
        #expect(try await spool.job(job.id) != nil)
    }
}
