import PrintModel
import Testing

struct QueuePositionTests {
    private func place(_ state: JobState, _ priority: Int = 50, ended: UnixTime? = nil, id: Int) -> QueuePosition {
        QueuePosition(state: state, priority: priority, endedAt: ended, id: id)
    }

    @Test func `jobs in progress come before waiting jobs, and ended jobs come last with the newest ended job first`() {
        let places = [
            place(.processing, 20, id: 9), place(.processingStopped, 10, id: 3), place(.pending, 90, id: 7),
            place(.pending, id: 4), place(.pendingHeld, id: 5), place(.pending, 1, id: 1),
            place(.completed, ended: 300, id: 2), place(.canceled, 99, ended: 200, id: 8),
            place(.aborted, ended: 200, id: 6),
        ]
        #expect(places.shuffled().sorted() == places)
    }

    @Test func `a queue position round-trips through its text with full precision`() {
        let ended = place(.completed, 7, ended: 1_700_000_000.123456, id: 12)
        #expect(QueuePosition(ended.description) == ended)
        #expect(place(.pending, id: 17).description == "1:50:0.0:17")
    }

    @Test(arguments: ["", "1:50:0", "3:50:0:1", "-1:50:0:1", "1:50:nan:1", "1:50:inf:1", "1:x:0:1", "1:50:0:1:2"])
    func `no queue position is parsed from invalid text`(text: String) {
        #expect(QueuePosition(text) == nil)
    }
}
