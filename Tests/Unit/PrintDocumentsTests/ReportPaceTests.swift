// Tests how often the progress of an imposition is reported.

import Testing

@testable import PrintDocuments

struct ReportPaceTests {
    @Test func `progress is reported for the first page, the last page, and the first page after each interval`() {
        var pace = ReportPace(total: 6)
        let start = ContinuousClock.now
        let reported = [(1, 0), (2, 99), (3, 100), (4, 150), (5, 201), (6, 202)].filter { page, milliseconds in
            pace.isDue(page, at: start + .milliseconds(milliseconds))
        }
        #expect(reported.map(\.0) == [1, 3, 5, 6])
    }
}
