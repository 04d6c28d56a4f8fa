import Foundation
import PrintTestSupport
import Testing

/// Tests of two spoolers that forward jobs to each other.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LoopTests {
    @Test func `if two spoolers forward a job in a loop, the first spooler suspends the job with a reason`()
        async throws
    {
        let (here, there) = (try TestSpooler(), try TestSpooler())
        let hosts = (here: try here.start(tcp: true).host, there: try there.start(tcp: true).host)
        let added = try await here.printq(
            "printers", "add", "onward", "ipp://\(hosts.there)/printers/back", "--no-check")
        expect(added)
        expect(
            try await there.printq("printers", "add", "back", "ipp://\(hosts.here)/printers/onward", "--no-check"))
        let id = try await here.submit(try here.file("a.pdf", .numbered(pages: 1)), "-d", "onward")
        try await here.eventually("the job is suspended") { try await here.job(id).reasons == ["job-suspended"] }
        let message = try #require(try await here.job(id).message)
        #expect(
            message.contains(
                "this spooler has already forwarded the job: onward and a printer of another spooler forward jobs "),
            "\(message)")
        // Each spooler received the job only once.
        #expect(try await here.jobs("--all").count == 1)
        #expect(try await there.jobs("--all").count == 1)
        expect(try await here.printq("cancel", "\(id)"))
    }
}

/// Tests of printd with a low limit of open files.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OpenFileTests {
    private let words = "the limit of open files is too low (64); set a higher limit with 'ulimit -n', or with "

    @Test func `printd refuses to start with a hard limit of 64 open files and reports the limit`() async throws {
        let spooler = try TestSpooler()
        let run = try await spooler.run(
            "prlimit", ["--nofile=64:64", spooler.program("printd"), "--spool", spooler.spool, "--no-tcp"])
        #expect(run.code == 71 && run.output.contains(words), "\(run)")
        let command = try await spooler.run("prlimit", ["--nofile=64:64", spooler.program("printq"), "queue"])
        #expect(command.code != 0 && command.complaints.contains(words), "\(command)")
    }

    @Test func `printd raises a soft limit of 64 open files to the hard limit`() async throws {
        let spooler = try TestSpooler()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let run = try await spooler.run(
            "prlimit", ["--nofile=64:4096", spooler.program("printq"), "submit", "--wait", path])
        expect(run)
    }
}
