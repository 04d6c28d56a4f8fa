// Tests wrong command lines, files without a command, and the forms of lists.

import Foundation
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import SpoolerClient
import Testing

@Suite struct CommandLineTests {
    /// Returns a queue with a printing job and a held job.
    private func busyQueue() async -> FakeQueue {
        let queue = FakeQueue()
        for (index, state) in [JobState.processing, .pendingHeld].enumerated() {
            var job = Job(
                id: index + 1, uuid: "urn:uuid:\(index)", printer: "color-laser", owner: "ann", name: "a.pdf",
                state: state, createdAt: 1_700_000_000)
            (job.impressions, job.impressionsCompleted) = (5, state == .processing ? 2 : 0)
            await queue.add(job)
        }
        return queue
    }

    @Test func `'printq FILE' prints the file, but a command name takes precedence over a file name`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            _ = try spool.file("report.pdf", "%PDF-a")
            _ = try spool.file("queue", "%PDF-b")
            try await spool.expect("report.pdf", prints: "job 1 on color-laser: report.pdf (waiting)\n")
            try await spool.expect("--title", "Mine", "report.pdf", prints: "job 2 on color-laser: Mine (waiting)\n")
            try await spool.expect("./queue", prints: "job 3 on color-laser: queue (waiting)\n")
            try await spool.expect("--", "queue", prints: "job 4 on color-laser: queue (waiting)\n")
            try await spool.expect("queue", lines: 5)
            let piped = try await spool.printq("-", input: "%PDF-c")
            #expect(piped.code == 0 && piped.output.hasPrefix("job 5 on color-laser: standard input"), "\(piped)")
            #expect(await queue.jobs.count == 5)
        }
    }

    @Test(arguments: [
        (["quene"], 64, "printq: unknown command 'quene'; did you mean 'queue'?\n"),
        (["help", "quene"], 64, "printq: unknown command 'quene'; did you mean 'queue'?\n"),
        (["frobnicate"], 64, "printq: unknown command 'frobnicate', and there is no such file; see 'printq --help'\n"),
        (["reprot.pdf"], 66, "printq: cannot open 'reprot.pdf': no such file\n"),
        (["./reprot"], 66, "printq: cannot open './reprot': no such file\n"),
        (["printers", "puase", "x"], 64, "printq: unknown command 'printers puase'; did you mean 'printers pause'?\n"),
        (
            ["printers", "office"], 64,
            "printq: unknown command 'printers office'; for one printer, use 'printq printers show office'\n"
        ),
        (["queue", "--limti", "3"], 64, "printq: unknown option '--limti'; did you mean '--limit'?\n"),
        (
            ["queue", "--limit", "x"], 64,
            "printq: invalid value 'x' for --limit; expected a number; see 'printq queue --help'\n"
        ),
        (
            ["queue", "--limit", "0"], 64,
            "printq: invalid value '0' for --limit; expected 1 or more; see 'printq queue --help'\n"
        ),
        (
            ["queue", "--color", "allways"], 64,
            "printq: invalid value 'allways' for --color; expected auto, always or never; did you mean 'always'?\n"
        ),
        (["queue", "surplus"], 64, "printq: unexpected argument 'surplus'; see 'printq queue --help'\n"),
        (["show", "abc"], 64, "printq: 'abc' is not a job number; see 'printq show --help'\n"),
        (["show"], 64, "printq: missing argument <id>; see 'printq show --help'\n"),
        (
            ["log", "--accounting", "--since", "x"], 64,
            "printq: invalid value 'x' for --since; expected 2030-01-31 or 2030-01-31T18:30; see 'printq log --help'\n"
        ),
        (
            ["log", "--accounting", "--by", "usr"], 64,
            "printq: invalid value 'usr' for --by; expected user or printer; did you mean 'user'?\n"
        ),
        (
            ["printers", "policy", "office", "retry"], 64,
            "printq: invalid value 'retry' for <policy>; expected retry-job, abort-job or stop-printer; did you mean 'retry-job'?\n"
        ),
        (
            ["hold", "1", "--until", "25:00"], 64,
            "printq: invalid value '25:00' for --until; expected indefinite, a time such as 18:30, or a date and time such as 2030-01-31T18:30\n"
        ),
        (["watch", "--after", "-1"], 64, "printq: missing value for --after <number>; see 'printq watch --help'\n"),
        (["cancel"], 64, "printq: specify job numbers or --all; see 'printq cancel --help'\n"),
    ])
    func `an invalid command line causes an error of one sentence and a specific exit code`(
        arguments: [String], code: Int32, sentence: String
    ) async throws {
        let spool = TestSpool(folder: try TemporaryFolder())
        let run = try await spool.run(arguments)
        #expect(run.code == code)
        #expect(run.complaints == sentence)
        #expect(run.output.isEmpty)
    }

    /// Returns the names of the commands that a help text lists.
    private func commands(in help: String) -> [String] {
        let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
        // A name stands after two spaces; a continued help text stands further right.
        return list.split(separator: "\n").prefix { !$0.contains("See '") }
            .compactMap { $0.firstMatch(of: /^  ([a-z][a-z-]*)/).map { String($0.1) } }
    }

    @Test func `an unknown option of any command causes exit code 64 and a reference to the command's help`()
        async throws
    {
        let spool = TestSpool(folder: try TemporaryFolder())
        var paths = commands(in: try await spool.printq("--help").output).map { [$0] }
        #expect(paths.count >= 19, "\(paths)")
        for path in paths {
            let help = try await spool.run(path + ["--help"])
            #expect(help.code == 0 && help.complaints.isEmpty && !help.output.isEmpty, "\(path)")
            paths += commands(in: help.output).map { path + [$0] }
        }
        #expect(paths.contains(["printers", "show"]))
        for path in paths {
            let run = try await spool.run(path + ["--no-such-option"])
            #expect(run.code == 64, "\(path)")
            let start = "printq: unknown option '--no-such-option'; see 'printq \(path.joined(separator: " "))"
            #expect(run.complaints.hasPrefix(start), "\(run.complaints)")
            #expect(run.complaints.hasSuffix(" --help'\n"), "\(run.complaints)")
            #expect(run.output.isEmpty)
        }
    }

    @Test func `'printq printers show' shows the properties of one printer`() async throws {
        try await withSpool(await busyQueue()) { spool in
            let run = try await spool.printq("printers", "show", "color-laser")
            #expect(run.code == 0, "\(run)")
            #expect(run.output.hasPrefix("printer      color-laser (the default printer)\ndescription  A laser\n"))
            #expect(run.output.contains("\nstate        ready\n"), "\(run.output)")
            #expect(run.output.contains("\nprints       color, both sides"), "\(run.output)")
            #expect(run.output.contains("\nloaded       A4\n"), "\(run.output)")
            #expect(run.output.contains("\njobs         2 waiting or printing\n"), "\(run.output)")
            let json = try await spool.printq("printers", "show", "office", "--json")
            #expect(json.output.contains("\"printer-name\": \"office\""), "\(json.output)")
            try await spool.expect("printers", "show", "nowhere", code: 64)
        }
    }

    @Test func `'printq papers --all' lists every paper and requires no printer`() async throws {
        let spool = TestSpool(folder: try TemporaryFolder())
        let run = try await spool.printq("papers", "--all")
        #expect(run.output.split(separator: "\n").count == Media.standard.count + 1, "\(run)")
        try await spool.expect("papers", "--all", "-d", "office", code: 64)
    }

    @Test func `'printq queue' shows the reason why a job waits`() async throws {
        let queue = FakeQueue()
        for number in 1...3 {
            await queue.add(
                Job(
                    id: number, uuid: "urn:uuid:\(number)", printer: number == 3 ? "office" : "color-laser",
                    owner: "ann", name: "a.pdf", createdAt: 1_700_000_000))
        }
        try await withSpool(queue) { spool in
            try await spool.expect("printers", "pause", "office", code: 0)
            let lines = try await spool.printq("queue").output.split(separator: "\n")
            #expect(
                lines.dropFirst().map { $0.components(separatedBy: "a.pdf").last ?? "" }
                    == ["", "  1 job ahead", "  printer paused"])
        }
    }

    @Test func `if a list is written to a pipe, it has no colors unless '--color always' is given`() async throws {
        try await withSpool(await busyQueue()) { spool in
            #expect(try await spool.printq("queue").output.contains("\u{1B}") == false)
            let styled = try await spool.printq("queue", "--color", "always")
            #expect(styled.output.contains("\u{1B}[36mprinting\u{1B}[0m"), "\(styled.output)")
            #expect(try await spool.printq("queue", "--color=never").output.contains("\u{1B}") == false)
        }
    }
}
