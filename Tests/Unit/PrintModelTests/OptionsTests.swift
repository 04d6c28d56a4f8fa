import FoundationEssentials
import PrintModel
import Testing

struct OptionsTests {
    @Test func `the raw values of options and states are IPP keywords or IPP enum values`() {
        #expect(Duplex.allCases.map(\.rawValue) == ["one-sided", "two-sided-long-edge", "two-sided-short-edge"])
        #expect(Orientation.allCases.map(\.rawValue) == [3, 4, 5, 6])
        #expect(PrintQuality.allCases.map(\.rawValue) == [3, 4, 5])
        #expect(PrintScaling.allCases.map(\.rawValue) == ["auto", "auto-fit", "fit", "fill", "none"])
        #expect(ColorMode.allCases.map(\.rawValue) == ["auto", "color", "monochrome"])
        #expect(JobState.allCases.map(\.rawValue) == [3, 4, 5, 6, 7, 8, 9])
        #expect([PrinterState.idle, .processing, .stopped].map(\.rawValue) == [3, 4, 5])
        #expect(
            NumberUp.Layout.allCases.map(\.rawValue) == [
                "tobottom-toright", "tobottom-toleft", "totop-toright", "totop-toleft", "toright-tobottom",
                "toright-totop", "toleft-tobottom", "toleft-totop",
            ])
    }

    @Test func `job states have IPP names, and the states 'canceled', 'aborted' and 'completed' are terminal`() {
        #expect(
            JobState.allCases.map(\.description) == [
                "pending", "pending-held", "processing", "processing-stopped", "canceled", "aborted", "completed",
            ])
        #expect(JobState.allCases.filter(\.isTerminal) == [.canceled, .aborted, .completed])
    }

    @Test func `number-up round-trips through JSON, and an unsupported count is a decoding error`() throws {
        let six = NumberUp(count: 6, layout: .toLeftToTop, border: .single)
        #expect(try JSON.read(NumberUp.self, JSON.write(six)) == six)
        for count in ["0", "-1", "3", "17", "9223372036854775807"] {
            let text = #"{"border":false,"count":\#(count),"layout":"toright-tobottom"}"#
            #expect(throws: DecodingError.self) { try JSON.read(NumberUp.self, text) }
        }
    }

    @Test func `photo output types have the photo flag, and grayscale output types have the color mode 'monochrome'`() {
        #expect(OutputType.allCases.filter(\.isPhoto) == [.photo, .photoGrayscale])
        #expect(OutputType.allCases.map(\.colorMode) == [.auto, .auto, .monochrome, .monochrome])
    }

    @Test func `a job ticket round-trips through JSON`() throws {
        var ticket = JobTicket()
        ticket.copies = 3
        ticket.pageRanges = try PageRanges("1-3,9-")
        ticket.numberUp = NumberUp(count: 4)
        ticket.media = .a4
        ticket.holdUntil = .time(1_800_000_000.5)
        #expect(try JSON.read(JobTicket.self, JSON.write(ticket)) == ticket)
        #expect(try JSON.read(JobTicket.self, "{}") == JobTicket())
    }

    @Test(arguments: [
        ("laser", true), ("4x6", true), ("a.b-c_d", true), ("", false), ("-a", false), (".", false), ("a/b", false),
        ("a b", false), ("ä", false), (String(repeating: "a", count: 127), true),
        (String(repeating: "a", count: 128), false),
    ])
    func `valid printer names are accepted and invalid printer names are rejected`(_ name: String, _ isValid: Bool) {
        #expect(ConfiguredPrinter.isValidName(name) == isValid)
    }
}
