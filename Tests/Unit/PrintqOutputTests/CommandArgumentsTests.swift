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
    func `'--hold TIME' is rewritten to '--hold=TIME', and '--spool' is moved behind the subcommand`(
        given: [String], prepared: [String]
    ) {
        #expect(CommandArguments.prepared(given, commands: ["submit", "queue"]) == .command(prepared))
    }

    @Test(arguments: [
        (["/dev/null"], ["submit", "/dev/null"]), (["-"], ["submit", "-"]),
        (["missing.pdf"], ["submit", "missing.pdf"]),
        (["--wait", "/dev/null"], ["submit", "--wait", "/dev/null"]), (["--", "queue"], ["submit", "--", "queue"]),
        (["https://example.org"], ["submit", "https://example.org"]), (["--help"], ["--help"]), (["-h"], ["-h"]),
        (["--generate-completion-script", "/dev/null"], ["--generate-completion-script", "/dev/null"]),
        (["--wait", "queue"], ["--wait", "queue"]), ([], []),
        (["--spool", "/s", "/dev/null"], ["submit", "/dev/null", "--spool", "/s"]),
        (["/dev/null", "--hold"], ["submit", "/dev/null", "--hold=indefinite"]),
    ])
    func `'printq FILE' without a command submits the file`(given: [String], prepared: [String]) {
        #expect(CommandArguments.prepared(given, commands: ["submit", "queue"]) == .command(prepared))
    }

    @Test func `an argument that is neither a command nor a file is reported as an unknown command`() {
        #expect(CommandArguments.prepared(["quene", "x"], commands: ["queue"]) == .unknownCommand("quene"))
        #expect(CommandArguments.prepared(["--spool=/s", "quene"], commands: ["queue"]) == .unknownCommand("quene"))
    }

    @Test func `'-o' accepts several options, quoted values and options without a value`() {
        let read = OptionText.read("media=A4  sides=one-sided landscape media-type='glossy paper' a=b=c")
        #expect(
            read == [
                OptionText(name: "media", value: "A4"), OptionText(name: "sides", value: "one-sided"),
                OptionText(name: "landscape", value: ""), OptionText(name: "media-type", value: "glossy paper"),
                OptionText(name: "a", value: "b=c"),
            ])
    }
}
