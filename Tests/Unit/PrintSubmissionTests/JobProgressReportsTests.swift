import IPP
import PrintKit
import SpoolerClient
import PrintSubmission
import Testing

struct JobProgressReportsTests {
    /// Creates a view of a job in a state.
    private func look(
        _ state: Int32, pages: Int32 = 0, of total: Int32? = 5, reasons: [String] = ["none"], says message: String = ""
    ) -> JobView {
        var group = AttributeGroup(
            .job,
            [
                Attribute("job-id", .integer(7)), Attribute("job-state", .enumeration(state)),
                Attribute("job-state-reasons", reasons.map { .keyword($0) }),
                Attribute("job-impressions-completed", .integer(pages)),
                Attribute("job-state-message", .text(message)),
            ])
        if let total { group.append("job-impressions", .integer(total)) }
        return JobView(group)
    }

    @Test func `each change of the page count is reported once`() {
        var news = JobProgressReports()
        #expect(news.take(look(3)) == [])
        #expect(news.take(look(5)) == [])
        #expect(news.take(look(5, pages: 1)) == [.progress(page: 1, of: 5)])
        #expect(news.take(look(5, pages: 1)) == [])
        #expect(news.take(look(5, pages: 4, of: nil)) == [.progress(page: 4, of: nil)])
        #expect(news.take(look(9, pages: 5)) == [.progress(page: 5, of: 5)])
    }

    @Test func `a stopped printer causes an alert while the job is printing, and a paused printer causes no alert`() {
        func printer(_ state: Int32, _ reason: String) -> PrinterView {
            PrinterView(
                AttributeGroup(
                    .printer,
                    [
                        Attribute("printer-state", .enumeration(state)),
                        Attribute("printer-state-reasons", .keyword(reason)),
                        Attribute("printer-state-message", .text("Out of paper; load paper")),
                    ]))
        }
        var news = JobProgressReports()
        #expect(news.take(look(5), at: printer(4, "none")) == [])
        #expect(news.take(look(5), at: printer(5, "media-empty-error")) == [.alert("Out of paper; load paper")])
        #expect(news.take(look(5), at: printer(4, "none")) == [.alertCleared])
        #expect(news.take(look(3), at: printer(5, "paused")) == [])
    }

    @Test func `an alert contains the printer's message, is reported once, and is cleared when the printer continues`()
    {
        var news = JobProgressReports()
        let empty = look(5, pages: 2, reasons: ["printer-stopped"], says: "Tray 'a' is empty; load paper")
        #expect(news.take(empty) == [.alert("Tray 'a' is empty; load paper"), .progress(page: 2, of: 5)])
        #expect(news.take(empty) == [])
        #expect(news.take(look(6, pages: 2, says: "Paper jam; clear the jam")) == [.alert("Paper jam; clear the jam")])
        #expect(news.take(look(5, pages: 3)) == [.alertCleared, .progress(page: 3, of: 5)])
        #expect(news.take(look(6, pages: 3, of: 5)) == [.alert("The printer is stopped")])
        #expect(news.take(look(7, pages: 3, reasons: ["printer-stopped"])) == [.alertCleared])
    }
}
