import Testing

@testable import PrintModel

struct TextOptionsTests {
    private func ticket(_ options: [(String, String)]) throws(OptionError) -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options { try ticket.set(name, to: value, at: 0) }
        return ticket
    }

    @Test func `text options have the names that lp uses`() throws {
        let ticket = try ticket([
            ("cpi", "12"), ("lpi", "7.5"), ("wrap", "false"), ("line-numbers", "true"), ("prettyprint", ""),
            ("columns", "2"), ("tab-width", "4"), ("document-charset", "Shift_JIS"),
        ])
        var expected = TextOptions()
        (expected.charactersPerInch, expected.linesPerInch, expected.wraps) = (12, 7.5, false)
        (expected.numbersLines, expected.hasHeader, expected.columns) = (true, true, 2)
        (expected.tabWidth, expected.encoding) = (4, "shift_jis")
        #expect(ticket.text == expected)
    }

    @Test func `the text option 'nowrap' means 'wrap=false'`() throws {
        #expect(try ticket([("nowrap", "")]).text?.wraps == false)
        #expect(try ticket([("nowrap", "true")]).text?.wraps == false)
        #expect(try ticket([("wrap", "")]).text?.wraps == true)
    }

    @Test
    func `a text option is read back unchanged if it is set in a job ticket, and is nil if it is not set`()
        throws
    {
        let options = [
            ("cpi", "12"), ("lpi", "7.5"), ("wrap", "false"), ("line-numbers", "true"), ("prettyprint", "false"),
            ("columns", "2"), ("tab-width", "4"), ("document-charset", "utf-8"), ("printq-office", "hidden-slides"),
            ("printq-sheets", "1-3,7"),
        ]
        let ticket = try ticket(options)
        for (name, value) in options {
            let option = try #require(PrintOption.named(name))
            #expect(option.value(in: ticket) == value)
            #expect(option.value(in: JobTicket()) == nil)
            #expect(option.consumer == .conversion)
        }
    }

    @Test(arguments: [
        ("cpi", "0"), ("cpi", "100"), ("cpi", "many"), ("cpi", "nan"), ("lpi", "-1"), ("wrap", "maybe"),
        ("line-numbers", "2"), ("columns", "0"), ("columns", "9"), ("tab-width", "33"), ("document-charset", ""),
        ("document-charset", "UTF-8//TRANSLIT"), ("document-charset", "a b"),
        ("printq-office", "slides"), ("printq-sheets", "0"), ("printq-sheets", "Budget"),
    ])
    func `an invalid value of a text option causes an error`(name: String, value: String) {
        let error = #expect(throws: OptionError.self) { try ticket([(name, value)]) }
        #expect(error?.isUnknown == false)
    }

    @Test func `if a job ticket does not set a text option, the printer's default value applies`() throws {
        let presets = try ticket([("cpi", "12"), ("wrap", "false")])
        let completed = try ticket([("wrap", "true")]).completed(by: presets)
        #expect(completed.text?.charactersPerInch == 12)
        #expect(completed.text?.wraps == true)
    }
}
