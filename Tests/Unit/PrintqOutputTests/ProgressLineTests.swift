// Tests the progress line of `--wait`.

import IPP
import PrintqOutput
import SpoolerClient
import PrintModel
import Testing

@Suite struct ProgressLineTests {
    private func job(_ state: JobState, done: Int = 0, of total: Int? = nil, message: String = "") -> JobView {
        var group = AttributeGroup(.job, [Attribute("job-state", .enumeration(Int32(state.rawValue)))])
        group.append("job-impressions-completed", .integer(Int32(done)))
        if let total { group.append("job-impressions", .integer(Int32(total))) }
        group.append("job-state-message", .text(message))
        return JobView(group)
    }

    @Test func `without a terminal, each new progress text is a separate line`() {
        var line = ProgressLine(width: nil)
        #expect(line.update(job(.pending), now: 0) == "waiting\n")
        #expect(line.update(job(.pending), now: 0) == "")
        #expect(line.update(job(.processing, done: 2, of: 5), now: 0) == "page 2 of 5\n")
        #expect(line.update(job(.processing, done: 3), now: 0) == "page 3\n")
        #expect(line.clear() == "")
    }

    @Test func `the progress line reports each page once, with printd's message`() {
        var line = ProgressLine(width: nil)
        let looks = [
            job(.processing, of: 2, message: "Printing page 1 of 2"),
            job(.processing, done: 1, of: 2, message: "Printing page 2 of 2"),
            job(.processing, done: 1, of: 2, message: "Printing page 2 of 2"),
            job(.processing, done: 2, of: 2, message: "All pages printed"),
        ]
        #expect(
            looks.map { line.update($0, now: 0) }
                == ["Printing page 1 of 2\n", "Printing page 2 of 2\n", "", "All pages printed\n"])
    }

    @Test func `on a terminal, the progress line is overwritten, truncated to the width and erased at the end`() {
        var line = ProgressLine(width: 20)
        let waiting = job(.pending, message: "the printer is out of paper")
        #expect(line.update(waiting, now: 0) == "\r\u{1B}[Kwaiting: the print…")
        #expect(line.update(waiting, now: 0) == "")
        #expect(line.update(job(.processing, done: 1, of: 2), now: 0) == "\r\u{1B}[Kpage 1 of 2")
        #expect(line.clear() == "\r\u{1B}[K")
        #expect(line.clear() == "")
    }

    @Test func `on a terminal, a progress bar for the printed pages precedes the message`() {
        var line = ProgressLine(width: 60)
        #expect(
            line.update(job(.processing, done: 2, of: 4, message: "Printing page 3 of 4"), now: 0)
                == "\r\u{1B}[K[##########----------] Printing page 3 of 4")
        #expect(line.update(uploading: ["a.pdf", "b.pdf"]) == "\r\u{1B}[KUploading a.pdf and 1 more")
        var plain = ProgressLine(width: nil)
        #expect(plain.update(uploading: ["a.pdf"]) == "")
    }

    private func event(_ state: JobState, sides: Int32?, of all: Int32?, _ message: String = "") -> EventView {
        var attributes = [
            Attribute("notify-job-id", .integer(7)), Attribute("job-state", .enumeration(Int32(state.rawValue))),
            Attribute("job-state-message", .text(message)),
        ]
        if let sides { attributes.append(Attribute("job-impressions-completed", .integer(sides))) }
        if let all { attributes.append(Attribute("job-impressions", .integer(all))) }
        return EventView(AttributeGroup(.eventNotification, attributes))
    }

    @Test(arguments: [(1, 5, 0.2), (2, 4, 0.5), (3, 3, 1), (9, 3, 1)] as [(Int32, Int32, Double)])
    func `the progress bar shows the fraction of printed sides that an event reports`(
        sides: Int32, all: Int32, fraction: Double
    ) throws {
        #expect(try #require(ProgressBar(event(.processing, sides: sides, of: all))).fraction == fraction)
    }

    @Test func `an event of an ended job, or without the number of sides, has no progress bar`() {
        #expect(ProgressBar(event(.completed, sides: 5, of: 5)) == nil)
        #expect(ProgressBar(event(.processing, sides: nil, of: 5)) == nil)
        #expect(ProgressBar(event(.processing, sides: 1, of: nil)) == nil)
    }

    @Test func `the progress line of a watch shows the message of the job, and is erased before the next event`() {
        var line = WatchProgress(width: 60)
        #expect(
            line.update(event(.processing, sides: 1, of: 2, "Printing page 2 of 2"))
                == "[##########----------] job 7: Printing page 2 of 2")
        #expect(line.clear() == "\r\u{1B}[K" && line.clear() == "")
    }
}
