// Tests of the sentences for errors of the command line.

import ArgumentParser
import Testing

@testable import CommandLineErrors

struct ParserSentenceTests {
    @Test(arguments: [
        ("Unknown option '--limti'. Did you mean '--limit'?", "unknown option '--limti'; did you mean '--limit'?"),
        ("Unknown option '--zzz'", "unknown option '--zzz'"), ("Unknown option '-z'", "unknown option '-z'"),
        ("The value 'x' is invalid for '--limit <number>'", "invalid value 'x' for --limit; expected a number"),
        (
            "The value 'x' is invalid for '--since <time>': expected 2030-01-31",
            "invalid value 'x' for --since; expected 2030-01-31"
        ),
        (
            "The value 'usr' is invalid for '--by <by>'. Please provide one of 'user' and 'printer'.",
            "invalid value 'usr' for --by; expected user or printer; did you mean 'user'?"
        ),
        (
            "The value 'q' is invalid for '--k <k>'. Please provide one of the following:\n  - aa\n  - bb",
            "invalid value 'q' for --k; expected aa or bb"
        ),
        ("The value 'abc' is invalid for '<id>'", "'abc' is not a job number"),
        ("Missing value for '-d <name>'", "missing value for -d <name>"),
        ("Missing expected argument '<files> ...'", "missing argument <files> ..."),
        (
            "The option '--all' does not take any value, but '3' was specified.",
            "--all does not take a value, but has the value '3'"
        ),
        ("2 unexpected arguments: 'a', 'b'", "unexpected arguments 'a', 'b'"),
        ("--all cannot be combined with job numbers", "--all cannot be combined with job numbers"),
    ])
    func `a message of the argument parser is rewritten as one sentence`(message: String, sentence: String) {
        #expect(ParserSentence(message, options: ["--limit", "--all", "-d"]).text == sentence)
    }
}

struct CommandPathTests {
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "printq", subcommands: [Queue.self, Printers.self])
    }
    private struct Queue: ParsableCommand {
        static let configuration = CommandConfiguration(aliases: ["list"])
        @Option(name: [.customShort("n"), .long], help: "The limit; see --nothing.") var limit: Int?
    }
    private struct Printers: ParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [Pause.self])
    }
    private struct Pause: ParsableCommand { @Argument var name: String }

    @Test func `the error of a subcommand suggests the --help option of the subcommand`() {
        let path = CommandPath(Root.self, ["printers", "pause", "office"])
        #expect(path.names == ["printq", "printers", "pause"])
        #expect(path.unknownCommand == nil)
        #expect(
            path.sentence(for: "Unknown option '--x'") == "unknown option '--x'; see 'printq printers pause --help'")
    }

    @Test func `the error for an unknown command suggests the command with the most similar name`() {
        #expect(
            CommandPath(Root.self, ["quene"]).unknownCommand == "unknown command 'quene'; did you mean 'queue'?")
        #expect(
            CommandPath(Root.self, ["printers", "puase", "x"]).unknownCommand
                == "unknown command 'printers puase'; did you mean 'printers pause'?")
        #expect(CommandPath(Root.self, ["frobnicate"]).unknownCommand == "unknown command 'frobnicate'")
        #expect(CommandPath(Root.self, ["list", "x"]).unknownCommand == nil)
    }

    @Test func `the error for an unknown option suggests only options that the command's help lists`() {
        #expect(CommandPath(Root.self, ["queue"]).options == ["--limit", "--help"])
        #expect(
            CommandPath(Root.self, ["queue"]).sentence(for: "Unknown option '--limti'")
                == "unknown option '--limti'; did you mean '--limit'?")
    }
}
