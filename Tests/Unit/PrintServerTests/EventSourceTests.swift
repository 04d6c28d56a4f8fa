// Tests the event log as subscribers read it.

import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import PrintTestSupport
import Testing

struct EventSourceTests {
    private let quiet: QuietSpool
    private var spool: Spool { quiet.spool }
    private var service: SpoolService { quiet.service }

    init() async throws { quiet = try await QuietSpool() }

    private func happen(_ times: Int) async throws {
        for time in 0..<times {
            if time.isMultiple(of: 2) {
                try await spool.pausePrinter(named: "quiet")
            } else {
                try await spool.resumePrinter(named: "quiet")
            }
        }
    }

    @Test
    func `a response contains all events that were committed before the request, whether from memory or from the log`()
        async throws
    {
        try await happen(20)
        for round in 0..<10 {
            let latest = try await service.latestEvent()
            #expect(latest == 21 + 2 * round)
            for start in [0, 5, latest - 1, latest] {
                let page = try await service.events(after: start, limit: 1000)
                #expect(page.events.map(\.sequence) == Array((start + 1)..<(latest + 1)), "after \(start)")
                #expect(page.purgedThrough == 0)
            }
            try await happen(2)
        }
        #expect(try await service.events(after: 3, limit: 2).events.map(\.sequence) == [4, 5])
        #expect(try await service.events(after: .max, limit: 10).events.isEmpty)
    }

    @Test func `all events are returned in order even if there are more events than the memory cache holds`()
        async throws
    {
        // After this read, the memory cache starts at the first event, so the cache must drop events later.
        #expect(try await service.events(after: 0, limit: 10).events.count == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2500 {
                group.addTask {
                    // The jobs have several owners, because each owner may have at most 100 such jobs.
                    _ = try await spool.createJob(
                        Submission(printer: "quiet", owner: "user\(number / 100)", name: "x"))
                }
            }
            try await group.waitForAll()
        }
        var numbers: [Int] = []
        while true {
            let page = try await service.events(after: numbers.last ?? 0, limit: 300)
            guard !page.events.isEmpty else { break }
            numbers += page.events.map(\.sequence)
        }
        #expect(numbers == Array(1...2501))
    }

    @Test func `concurrent readers receive every event while events are added`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var last = 0
                    for await _ in service.eventChanges() {
                        let page = try await service.events(after: last, limit: 1000)
                        #expect(page.events.map(\.sequence) == Array((last + 1)..<(last + 1 + page.events.count)))
                        last = page.events.last?.sequence ?? last
                        if last >= 41 { return }
                    }
                }
            }
            // Readers that do not wait yet are woken by a later event.
            group.addTask {
                try await happen(40)
                while !Task.isCancelled, try await spool.latestEventSequence() < 400 { try await happen(2) }
            }
            try await group.waitForAll()
        }
    }
}
