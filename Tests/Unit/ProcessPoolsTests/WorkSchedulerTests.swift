import PrintModel
import Testing

@testable import ProcessPools

/// Tests of the order in which requests start.
struct WorkSchedulerTests {
    /// The scheduler in a class, because expectations cannot mutate values.
    private final class Turns {
        private var turns: WorkScheduler
        init(places: Int) { turns = WorkScheduler(places: places) }
        func arrive(_ id: Int, from origin: WorkOrigin?, isSmall: Bool) -> Bool {
            turns.arrive(id, from: origin, isSmall: isSmall)
        }
        func leave(_ id: Int) -> [Int] { turns.leave(id) }
        func cancel(_ id: Int) -> Bool { turns.cancel(id) }
    }

    private func origin(_ printer: String, _ owner: String = "ada") -> WorkOrigin {
        WorkOrigin(printer: printer, owner: owner)
    }

    @Test func `a worker request starts immediately if the work scheduler has a free slot`() {
        let turns = Turns(places: 2)
        let begun = (1...3).map { turns.arrive($0, from: nil, isSmall: false) }
        #expect(begun == [true, true, false])
        #expect(turns.leave(1) == [3])
        #expect(turns.leave(2) == [])
    }

    @Test func `a worker request for an idle printer starts before earlier requests for a busy printer`() {
        let turns = Turns(places: 2)
        for id in 1...6 { _ = turns.arrive(id, from: origin("laser"), isSmall: false) }
        _ = turns.arrive(7, from: origin("inkjet"), isSmall: false)
        #expect(turns.leave(1) == [7])
        #expect(turns.leave(7) == [3])
    }

    @Test func `worker requests of several printers start in round-robin order`() {
        let turns = Turns(places: 1)
        for id in 1...3 { _ = turns.arrive(id, from: origin("laser"), isSmall: false) }
        for id in 4...6 { _ = turns.arrive(id, from: origin("inkjet"), isSmall: false) }
        var order: [Int] = []
        var next = [1]
        while let id = next.first {
            order.append(id)
            next = turns.leave(id)
        }
        #expect(order == [1, 4, 2, 5, 3, 6], "\(order)")
    }

    @Test func `worker requests of several owners for one printer start in round-robin order`() {
        let turns = Turns(places: 1)
        for id in 1...3 { _ = turns.arrive(id, from: origin("laser", "ada"), isSmall: false) }
        _ = turns.arrive(4, from: origin("laser", "bob"), isSmall: false)
        var served = [1]
        while let next = turns.leave(served[served.count - 1]).first { served.append(next) }
        #expect(served == [1, 4, 2, 3], "\(served)")
    }

    @Test func `if large worker requests use all slots, one small request at a time starts immediately`() {
        let turns = Turns(places: 2)
        for id in 1...3 { _ = turns.arrive(id, from: origin("laser"), isSmall: false) }
        #expect(turns.arrive(4, from: origin("inkjet"), isSmall: true))
        #expect(!turns.arrive(5, from: origin("photo"), isSmall: true))
        #expect(turns.leave(4) == [5])
        #expect(turns.leave(1) == [3])
    }

    @Test func `a large worker request does not use the slot that is reserved for small requests`() {
        let turns = Turns(places: 2)
        for id in 1...2 { _ = turns.arrive(id, from: nil, isSmall: false) }
        #expect(!turns.arrive(3, from: origin("inkjet"), isSmall: false))
    }

    @Test func `a worker request never starts if it is canceled while it waits`() {
        let turns = Turns(places: 2)
        for id in 1...4 { _ = turns.arrive(id, from: nil, isSmall: false) }
        #expect(turns.cancel(3))
        #expect(!turns.cancel(3))
        #expect(turns.leave(1) == [4])
        #expect(turns.leave(3) == [])
    }

    @Test func `if requests for other printers arrive while a worker request waits, the waiting request starts first`()
    {
        let turns = Turns(places: 1)
        _ = turns.arrive(0, from: origin("busy"), isSmall: false)
        _ = turns.arrive(1, from: origin("patient"), isSmall: false)
        var (working, id) = (0, 2)
        // New requests keep arriving, each for a new printer.
        for round in 0..<3 {
            for _ in 0..<3 {
                _ = turns.arrive(id, from: origin("printer \(id)"), isSmall: false)
                id += 1
            }
            let next = turns.leave(working)
            #expect(next.count == 1)
            working = next[0]
            if round == 0 { #expect(working == 1) }
        }
    }
}
