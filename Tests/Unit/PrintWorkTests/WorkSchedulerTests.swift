import PrintModel
import Testing

@testable import PrintWork

/// Whose request is next, as a conversation.
struct WorkSchedulerTests {
    /// The rule, in a reference, because expectations cannot change values.
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

    @Test func `requests begin at once while there are places`() {
        let turns = Turns(places: 2)
        let begun = (1...3).map { turns.arrive($0, from: nil, isSmall: false) }
        #expect(begun == [true, true, false])
        #expect(turns.leave(1) == [3])
        #expect(turns.leave(2) == [])
    }

    @Test func `a printer with nothing at work comes before one with many requests that came earlier`() {
        let turns = Turns(places: 2)
        for id in 1...6 { _ = turns.arrive(id, from: origin("laser"), isSmall: false) }
        _ = turns.arrive(7, from: origin("inkjet"), isSmall: false)
        #expect(turns.leave(1) == [7])
        #expect(turns.leave(7) == [3])
    }

    @Test func `printers take turns`() {
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

    @Test func `owners take turns at a printer`() {
        let turns = Turns(places: 1)
        for id in 1...3 { _ = turns.arrive(id, from: origin("laser", "ada"), isSmall: false) }
        _ = turns.arrive(4, from: origin("laser", "bob"), isSmall: false)
        var served = [1]
        while let next = turns.leave(served[served.count - 1]).first { served.append(next) }
        #expect(served == [1, 4, 2, 3], "\(served)")
    }

    @Test func `a small request begins beside large ones, one at a time`() {
        let turns = Turns(places: 2)
        for id in 1...3 { _ = turns.arrive(id, from: origin("laser"), isSmall: false) }
        #expect(turns.arrive(4, from: origin("inkjet"), isSmall: true))
        #expect(!turns.arrive(5, from: origin("photo"), isSmall: true))
        #expect(turns.leave(4) == [5])
        #expect(turns.leave(1) == [3])
    }

    @Test func `a large request does not take the place of small ones`() {
        let turns = Turns(places: 2)
        for id in 1...2 { _ = turns.arrive(id, from: nil, isSmall: false) }
        #expect(!turns.arrive(3, from: origin("inkjet"), isSmall: false))
    }

    @Test func `a canceled request gets no turn`() {
        let turns = Turns(places: 2)
        for id in 1...4 { _ = turns.arrive(id, from: nil, isSmall: false) }
        #expect(turns.cancel(3))
        #expect(!turns.cancel(3))
        #expect(turns.leave(1) == [4])
        #expect(turns.leave(3) == [])
    }

    @Test func `no printer waits longer than a turn of each of the others`() {
        let turns = Turns(places: 1)
        _ = turns.arrive(0, from: origin("busy"), isSmall: false)
        _ = turns.arrive(1, from: origin("patient"), isSmall: false)
        var (working, id) = (0, 2)
        // Others come all the time, each at a printer that was not there before.
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
