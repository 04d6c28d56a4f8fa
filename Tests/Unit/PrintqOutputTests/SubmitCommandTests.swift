// Tests `printq submit`.

import Foundation
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import Testing

@Suite struct SubmitCommandTests {
    @Test func `a submission contains the file's name, format, options and submission ID`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            let file = try spool.file("report.pdf", "%PDF-1.7 hello")
            let run = try await spool.printq(
                "submit", "-d", "office", "-n", "2", "--pages", "1-3,7", "--duplex", "long", "--paper", "a4",
                "--reverse",
                "-o", "print-color-mode=monochrome landscape", "--title", "Plan", file)
            #expect(run.code == 0, "\(run.complaints)")
            #expect(run.output == "job 1 on office: Plan (waiting)\n")
            let request = try #require(await queue.requests.first)
            #expect(request.ticket.copies == 2)
            #expect(request.ticket.pageRanges?.description == "1-3,7")
            #expect(request.ticket.duplex == .longEdge)
            #expect(request.ticket.media == .a4)
            #expect(request.ticket.pageOrder == .reverse)
            #expect(request.ticket.colorMode == .monochrome)
            #expect(request.ticket.orientation == .landscape)
            #expect((request.submissionID ?? "").count == 36)
            #expect(await queue.documents == [Array("%PDF-1.7 hello".utf8)])
            #expect(await queue.jobs.first?.documents.first?.format == .pdf)
        }
    }

    @Test func `several files become one job with several documents in order`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            let run = try await spool.printq(
                "submit", try spool.file("a.pdf", "%PDF-a"), "-", try spool.file("b.pdf", "%PDF-b"), input: "%PDF-stdin"
            )
            #expect(run.code == 0, "\(run.complaints)")
            #expect(
                await queue.documents.map { String(decoding: $0, as: UTF8.self) } == ["%PDF-a", "%PDF-stdin", "%PDF-b"])
            let job = try #require(await queue.jobs.first)
            #expect(job.documents.map(\.name) == ["a.pdf", "standard input", "b.pdf"])
            #expect(job.name == "a.pdf")
        }
    }

    @Test func `a job is canceled if one of its documents is refused`() async throws {
        let queue = FakeQueue()
        await queue.refuseDocuments(IPPFailure(.serverErrorTemporaryError, "the disk is full; free some space"))
        try await withSpool(queue) { spool in
            let run = try await spool.printq(
                "submit", try spool.file("a.pdf", "%PDF-a"), try spool.file("b.pdf", "%PDF-b"))
            #expect(run.code == 75)
            #expect(
                run.complaints
                    == "printq: job 1 was canceled because printq cannot send 'a.pdf': the disk is full; "
                    + "free some space\n")
            #expect(await queue.jobs.map(\.state) == [.canceled])
        }
    }

    @Test func `'printq submit' checks all files before any data is sent`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            let good = try spool.file("a.pdf", "%PDF-a")
            let empty = try spool.file("empty.pdf", "")
            let cases: [(file: String, code: Int32, words: String)] = [
                ("\(spool.path)/none.pdf", 66, "cannot open '\(spool.path)/none.pdf': no such file"),
                (spool.path, 66, "'\(spool.path)' is a folder; specify files to print"),
                (empty, 65, "'\(empty)' is empty; there is nothing to print"),
                ("\(good)/x", 66, "cannot open '\(good)/x': a part of the path is not a folder"),
            ]
            for (file, code, words) in cases {
                let run = try await spool.printq("submit", good, file)
                #expect(run.code == code)
                #expect(run.complaints == "printq: \(words)\n")
            }
            let stdin = try await spool.printq("submit", "-")
            #expect(stdin.code == 65)
            #expect(stdin.complaints == "printq: standard input is empty; there is nothing to print\n")
            #expect(await queue.jobs.isEmpty)
        }
    }

    @Test func `the error for an invalid option, value or printer contains the invalid argument`() async throws {
        try await withSpool(FakeQueue()) { spool in
            let file = try spool.file("a.pdf", "%PDF-a")
            let cases: [(arguments: [String], code: Int32, words: String)] = [
                (["--duplex", "short"], 64, "two-sided-short-edge"),
                (["-d", "nowhere"], 64, "there is no printer 'nowhere'; see 'printq printers'"),
                (["-d", "no where"], 64, "there is no printer 'no where'; see 'printq printers'"),
                (["--pages", "5-2"], 64, "5-2"),
                (["--paper", "a99"], 64, "invalid value 'a99' for --paper; expected a paper such as A4"),
                (["--duplex", "both"], 64, "invalid value 'both' for --duplex; expected none, long or short\n"),
                (["--duplex", "lnog"], 64, "expected none, long or short; did you mean 'long'?\n"),
                (
                    ["-o", "sides=both"], 64,
                    "'both' for -o sides; expected one-sided, two-sided-long-edge or two-sided-short-edge\n"
                ),
                (["--copies", "0"], 64, "invalid value '0' for --copies; expected 1 to 9999\n"),
                (["-o", "n=many"], 64, "invalid value 'many' for -o n; expected 1 to 9999\n"),
                (["--paper", "lettre"], 64, "did you mean 'Letter'?\n"),
                (["--color", "monocrome"], 64, "for --color; expected auto, color or monochrome; did you mean 'mono"),
                (["--pages", "1,5-2"], 64, "invalid value '1,5-2' for --pages: '5-2': did you mean 2-5?\n"),
                (["--hold=noon"], 64, "invalid value 'noon' for --hold; expected indefinite, a time such as 18:30"),
                (["-o", "job-hold-until=noon"], 64, "invalid value 'noon' for -o job-hold-until; expected no-hold"),
                (["-o", "page-broder=single"], 64, "unknown option 'page-broder'; did you mean 'page-border'?; see"),
                (["--duplx", "long"], 64, "unknown option '--duplx'; did you mean '--duplex'?\n"),
                (["-o", "bogus=1"], 64, "unknown option 'bogus'; see 'printq submit --help'"),
                (["--hold", "25:00"], 64, "25:00"),
            ]
            for (arguments, code, words) in cases {
                let run = try await spool.run(["submit"] + arguments + [file])
                #expect(run.code == code, "\(arguments)")
                #expect(run.complaints.hasPrefix("printq: "), "\(run.complaints)")
                #expect(run.complaints.contains(words), "\(run.complaints)")
                #expect(run.complaints.split(separator: "\n").count == 1)
            }
            let text = try await spool.printq("submit", try spool.file("a.txt", "hello"))
            #expect(text.code == 65)
            #expect(
                text.complaints
                    == "printq: color-laser does not accept text/plain; convert the document first (accepted: application/pdf, image/jpeg)\n"
            )
        }
    }

    @Test func `'printq submit --wait' shows each page once and then lists the output files`() async throws {
        let output = try TemporaryFolder()
        for name in ["page-0002.png", "page-0001.png", "sheets.pdf", "job.json", "original.pdf"] {
            try "x".write(toFile: output.path(name), atomically: true, encoding: .utf8)
        }
        let page = { @Sendable (number: Int) -> FakeQueue.Step in
            { job in (job.state, job.impressions, job.impressionsCompleted) = (.processing, 2, number) }
        }
        let queue = FakeQueue(
            script: [
                { _ in }, page(0), page(1), page(1), page(2),
                { job in (job.state, job.sheetsCompleted) = (.completed, 1) },
            ], outputFolder: output.path)
        try await withSpool(queue, EagerLog()) { spool in
            let run = try await spool.printq("print", "--wait", try spool.file("a.pdf", "%PDF-a"))
            #expect(run.code == 0)
            #expect(
                run.complaints == """
                    waiting: it is the next one for color-laser
                    preparing: it is the next one for color-laser
                    page 1 of 2
                    page 2 of 2

                    """)
            #expect(
                run.output == """
                    job 1 completed: 2 pages on 1 sheet
                    \(output.path)/
                      page-0001.png  page-0002.png  job.json  original.pdf  sheets.pdf

                    """)
        }
    }

    @Test func `if a job is aborted, 'printq submit --wait' fails with the reason`() async throws {
        let queue = FakeQueue(script: [{ job in (job.state, job.message) = (.aborted, "the document is damaged") }])
        try await withSpool(queue, EagerLog()) { spool in
            let run = try await spool.printq("submit", "--wait", try spool.file("a.pdf", "%PDF-a"))
            #expect(run.code == 1)
            #expect(
                run.complaints == "printq: job 1 was aborted: the document is damaged; see 'printq show 1'\n")
        }
    }

    @Test func `the time in 'printq submit --hold TIME' is a local time`() async throws {
        let queue = FakeQueue()
        try await withSpool(queue) { spool in
            let file = try spool.file("a.pdf", "%PDF-a")
            let held = try await spool.printq("submit", "--hold", file)
            #expect(held.output == "job 1 on color-laser: a.pdf (held)\n")
            // In a time zone two hours east of UTC, 18:30 is 16:30 UTC.
            let timed = try await spool.printq(
                "submit", "--hold", "2100-06-01T18:30", file, environment: ["TZ": "TEST-2"])
            #expect(timed.output == "job 2 on color-laser: a.pdf (held until 2100-06-01 18:30)\n")
            #expect(await queue.jobs.last?.heldUntil == 4_115_550_600)
        }
    }
}
