import PrintModel
import PrintSpool
import Testing

struct FairOrderTests {
    let files = TestSpool()

    /// Claims and completes all jobs of a printer in fair order, and returns their names.
    private func printAll(_ spool: Spool, on printer: String = "laser") async throws -> [String] {
        var names: [String] = []
        while let job = try await spool.claim(fromPrinters: [printer], order: .fair) {
            names.append(job.name)
            try await spool.change(job.id, .delivered(warning: nil))
        }
        return names
    }

    @Test func `five users with one job each do not wait for 60 jobs of one user`() async throws {
        let spool = try await files.open()
        for number in 1...60 { try await spool.submit("a\(number)", owner: "ann") }
        for owner in ["bob", "cy", "dan", "eve", "fay"] { try await spool.submit(owner, owner: owner) }
        let names = try await printAll(spool)
        #expect(names.prefix(7) == ["a1", "bob", "cy", "dan", "eve", "fay", "a2"])
        #expect(names.count == 65)
    }

    @Test(arguments: [QueueOrder.perPrinter, .fair])
    func `only jobs of owners that are not held back start`(order: QueueOrder) async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (name, owner) in [("a1", "ann"), ("a2", "ann"), ("b1", "bob"), ("c1", "cy")] {
            try await spool.submit(name, owner: owner)
        }
        try await spool.submit("a3", to: "photo", owner: "ann")
        func next(_ owners: Set<String>) async throws -> [String] {
            try await spool.nextJobs(ofPrinters: ["laser", "photo"], holdingBack: ["laser": owners], order: order)
                .map(\.name)
        }
        #expect(try await next(["ann"]) == ["a3", "b1"])
        #expect(try await next(["ann", "bob", "cy"]) == ["a3"])
        let claimed = try await spool.claimAll(
            fromPrinters: ["laser", "photo"], holdingBack: ["laser": ["ann"]], order: order)
        #expect(claimed.map(\.name).sorted() == ["a3", "b1"])
        try await spool.pausePrinter(named: "laser")
        #expect(try await next(["bob"]) == [])
    }

    @Test func `the time of a preparation is stored until the job is prepared, moved or changed`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        let id = try await spool.submit("a").id
        func seconds() async throws -> Double? { try await spool.job(id)?.preparationSeconds }
        func note() async throws {
            try await spool.notePreparation(of: try #require(try await spool.job(id)), seconds: 42)
            #expect(try await seconds() == 42)
        }
        try await note()
        var ticket = JobTicket()
        ticket.copies = 2
        try await spool.update(id, ticket: ticket)
        #expect(try await seconds() == 0)
        try await note()
        try await spool.update(id, printer: "photo")
        #expect(try await seconds() == 0)
        try await note()
        try await spool.change(id, .prepared(impressions: 1, sheets: 1, notice: nil))
        #expect(try await seconds() == 0)
    }

    @Test func `a priority orders only the jobs of the same owner`() async throws {
        let spool = try await files.open()
        try await spool.submit("a1", owner: "ann")
        try await spool.submit("a2", owner: "ann", priority: 90)
        try await spool.submit("b1", owner: "bob", priority: 10)
        try await spool.submit("b2", owner: "bob", priority: 100)
        #expect(try await printAll(spool) == ["a2", "b2", "a1", "b1"])
    }

    @Test func `turns are separate for each printer, and continue after a restart`() async throws {
        var spool = try await files.open(printers: ["laser", "photo"])
        for printer in ["laser", "photo"] {
            for name in ["a1", "a2"] { try await spool.submit(name, to: printer, owner: "ann") }
            for name in ["b1", "b2"] { try await spool.submit(name, to: printer, owner: "bob") }
        }
        let first = try #require(try await spool.claim(fromPrinters: ["laser"], order: .fair))
        try await spool.change(first.id, .delivered(warning: nil))
        try await spool.purge(keepJobs: 0)
        try spool.close()
        spool = try await files.open()
        #expect(try await printAll(spool) == ["b1", "a2", "b2"])
        #expect(try await printAll(spool, on: "photo") == ["a1", "b1", "a2", "b2"])
        try await spool.removePrinter(named: "photo")
    }

    @Test func `a job that waits for a retry keeps its turn and delays the jobs that follow`() async throws {
        let spool = try await files.open()
        let postponed = try await spool.submit("a1", owner: "ann")
        try await spool.submit("a2", owner: "ann")
        try await spool.submit("b1", owner: "bob")
        _ = try await spool.claim(fromPrinters: ["laser"], order: .fair)
        try await spool.change(postponed.id, .postponed(until: files.clock.now + 30, message: "unreachable"))
        #expect(try await spool.claim(fromPrinters: ["laser"], order: .fair) == nil)
        files.clock.advance(by: 30)
        #expect(try await printAll(spool) == ["a1", "b1", "a2"])
    }

    @Test(arguments: 1...5)
    func `the number of jobs ahead is the number of jobs that are printed first`(seed: Int) async throws {
        let spool = try await files.open()
        for number in 1...40 {
            try await spool.submit(
                "\(number)", owner: ["ann", "bob", "cy", "dan"][number * number * seed % 13 % 4],
                priority: [10, 50, 90][number * number * number * seed % 11 % 3])
            guard number % 4 == 0, let job = try await spool.claim(fromPrinters: ["laser"], order: .fair)
            else { continue }
            try await spool.change(job.id, .delivered(warning: nil))
        }
        let waiting = try await spool.jobs()
        let counts = try await spool.countWaitingBefore(waiting, order: .fair)
        let expected = waiting.sorted { (counts[$0.id] ?? 0) < (counts[$1.id] ?? 0) }
        #expect(counts.values.sorted() == Array(0..<waiting.count))
        #expect(try await printAll(spool) == expected.map(\.name))
    }

    @Test func `held and suspended jobs are not ahead of a job, and a job in progress is`() async throws {
        let spool = try await files.open()
        for name in ["a1", "a2", "a3"] { try await spool.submit(name, owner: "ann") }
        let job = try await spool.submit("b1", owner: "bob")
        let held = try await spool.submit("b2", owner: "bob", holdUntil: .indefinite)
        _ = try await spool.claim(fromPrinters: ["laser"], order: .fair)
        #expect(try await spool.fairQueue(of: "laser").jobsAhead(of: job) == .init(others: 1))
        #expect(try await spool.fairQueue(of: "laser").jobsAhead(of: held) == .init(own: 1, others: 2))
        try await spool.change(1, .doubted(message: "?"))
        #expect(try await spool.fairQueue(of: "laser").jobsAhead(of: job) == .init())
    }
}
