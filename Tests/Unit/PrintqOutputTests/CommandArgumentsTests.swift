// Tests the rewriting of command lines.

import PrintqOutput
import SpoolerClient
import Testing

@Suite struct CommandArgumentsTests {
    @Test(arguments: [
        (["submit", "--hold", "a.pdf"], ["submit", "--hold=indefinite", "a.pdf"]),
        (["submit", "a.pdf", "--hold"], ["submit", "a.pdf", "--hold=indefinite"]),
        (["submit", "--hold", "18:30", "a.pdf"], ["submit", "--hold=18:30", "a.pdf"]),
        (["submit", "--hold", "2030-01-31T18:30", "x"], ["submit", "--hold=2030-01-31T18:30", "x"]),
        (["submit", "--hold", "indefinite", "x"], ["submit", "--hold=indefinite", "x"]),
        (["submit", "--hold", "2024-01-01", "x"], ["submit", "--hold=indefinite", "2024-01-01", "x"]),
        (["submit", "--", "--hold"], ["submit", "--", "--hold"]),
        (["--spool", "/s", "queue", "--json"], ["queue", "--json", "--spool", "/s"]),
        (["--spool=/s", "submit", "--", "-x"], ["submit", "--spool=/s", "--", "-x"]),
        (["--spool", "/s"], ["--spool", "/s"]),
    ])
    func `'--hold TIME' is rewritten to '--hold=TIME', and --spool is moved behind the subcommand`(
        given: [String], prepared: [String]
    ) {
        #expect(CommandArguments.prepared(given) == prepared)
    }

    @Test func `-o accepts several options, quotes and options without a value`() {
        let read = OptionText.read("media=A4  sides=one-sided landscape media-type='glossy paper' a=b=c")
        #expect(
            read == [
                OptionText(name: "media", value: "A4"), OptionText(name: "sides", value: "one-sided"),
                OptionText(name: "landscape", value: ""), OptionText(name: "media-type", value: "glossy paper"),
                OptionText(name: "a", value: "b=c"),
            ])
    }
}
