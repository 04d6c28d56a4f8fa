import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct LifecycleTests {
    @Test func `the first command on a new spool starts printd`() async throws {
        let spooler = try TestSpooler()
        let run = try await spooler.printq("queue")
        expect(run)
        #expect(run.output == "the queue is empty\n")
        // The second printd exits when it finds the spool locked.
        try await eventually("one printd is running") { spooler.processes(of: "printd").count == 1 }
    }

    @Test func `two concurrent commands start only one printd, and both commands succeed`() async throws {
        let spooler = try TestSpooler()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        async let first = spooler.printq("submit", path)
        async let second = spooler.printq("submit", path)
        let runs = try await [first, second]
        for run in runs { expect(run) }
        #expect(Set(runs.compactMap(\.jobID)) == [1, 2])
        try await eventually("one printd is running") { spooler.processes(of: "printd").count == 1 }
    }

    @Test(arguments: ["1e30", "-1", "nan", "inf"])
    func `an invalid value of --idle-exit is rejected`(seconds: String) async throws {
        let spooler = try TestSpooler()
        let run = try await spooler.run(
            spooler.program("printd"), ["--spool", spooler.spool, "--idle-exit=\(seconds)"])
        #expect(run.code == 64 && run.complaints.contains("0 to 1000000 seconds"), "\(run)")
    }

    @Test func `an idle printd exits, and the next command starts printd again`() async throws {
        let spooler = try TestSpooler()
        try spooler.start("--idle-exit", "0.5")
        try await spooler.waitUntilGone()
        #expect(spooler.processes(of: "printd").isEmpty)
        let run = try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1)))
        expect(run)
        #expect(spooler.processes(of: "printd").count == 1)
    }

    @Test func `printd does not exit while a job is waiting`() async throws {
        let spooler = try TestSpooler()
        try spooler.start("--idle-exit", "0.2")
        expect(try await spooler.printq("submit", "--hold", try spooler.file("a.pdf", .numbered(pages: 1))))
        // The loop runs longer than the idle time.
        let until = ContinuousClock.now + .seconds(1)
        try await eventually("the idle time has passed") { ContinuousClock.now > until }
        #expect(spooler.processes(of: "printd").count == 1)
        expect(try await spooler.printq("cancel", "1"))
        try await spooler.waitUntilGone()
    }

    @Test func `a second printd on the same spool is refused`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let run = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        expect(run, code: 75)
        #expect(run.output.contains("\"ready\":false"))
        #expect(run.output.contains(spooler.spool))
        expect(try await spooler.printq("queue"))
    }

    @Test func `printd does not start if another program uses the requested port`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let port = try #require(ready.tcp?.split(separator: ":").last)
        let other = try TestSpooler()
        let run = try await other.run(
            other.program("printd"), ["--spool", other.spool, "--listen", "127.0.0.1:\(port)"])
        expect(run, code: 69)
        #expect(run.output.contains("\"ready\":false"), "\(run)")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal at any moment of the start ends printd with exit code 0, and the next start is complete`(
        signal: Int32
    ) async throws {
        // The start of a new spool, and the start of the spool that the previous process has left.
        for spooler in [try TestSpooler(), try TestSpooler(), try TestSpooler()] {
            for _ in 1...8 {
                let process = try DetachedProcess(
                    program: spooler.program("printd"), arguments: ["--spool", spooler.spool, "--no-tcp"],
                    log: spooler.folder.path("printd.err"))
                // Wait for the first statements of printd, and then for a random part of the start.
                var looks = 1 << Int.random(in: 0...12)
                while looks > 0 {
                    let status = text(of: "/proc/\(process.pid)/status")
                    try #require(!status.contains("(zombie)"), "\(text(of: spooler.folder.path("printd.err")))")
                    if ignoresPipes(status) { looks -= 1 }
                }
                kill(process.pid, signal)
                #expect(process.waitForEnd() == 0, "\(text(of: spooler.folder.path("printd.err")))")
                _ = process.readLine(deadline: 0)
            }
            try spooler.start()
            let printers = try await spooler.printq("printers")
            for name in ["color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll"] {
                #expect(printers.lines.contains { $0.dropFirst(3).hasPrefix("\(name) ") }, "\(printers)")
            }
            expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        }
    }

    /// Returns whether a process ignores SIGPIPE, as printd does from its first statements on.
    ///
    /// - Parameter status: The file `status` of the process in `/proc`.
    private func ignoresPipes(_ status: String) -> Bool {
        let ignored = status.firstMatch(of: /SigIgn:\s*([0-9a-f]+)/)?.1
        return ignored.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(SIGPIPE - 1) & 1 == 1 } == true
    }

    @Test func `after SIGTERM, printd removes its socket and exits, and the printer completes the current job`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start(speed: "x10")
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 8)))
        try await spooler.eventually("pages are printed") { (try await spooler.job(id).impressions ?? 0) > 0 }
        spooler.stop(SIGTERM)
        #expect(!FileManager.default.fileExists(atPath: spooler.socket))
        #expect(spooler.processes(of: "printsim").count == 1)
        try spooler.start(speed: "x10")
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try spooler.log(of: "color-laser").map(\.impressions) == [8])
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `if a signal ends printd, the printsim process of printd also ends`(signal: Int32) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        #expect(spooler.processes(of: "printsim").count == 1)
        spooler.stop(signal)
        try await eventually("printsim has exited") { spooler.processes(of: "printsim").isEmpty }
        // The next printd starts a new printsim, which continues the job numbers.
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("b.pdf", .numbered(pages: 1))))
        #expect(try spooler.log(of: "color-laser").map(\.state) == ["completed", "completed"])
    }

    @Test func `if an idle printd exits, the printsim process of printd also exits`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 1)), "--hold")
        spooler.stop()
        // printd does not exit while a job is held.
        try spooler.start("--idle-exit", "0.5")
        expect(try await spooler.printq("release", "\(id)"))
        try await spooler.waitUntilGone()
        #expect(try spooler.log(of: "color-laser").map(\.state) == ["completed"])
        try await eventually("printsim has exited") { spooler.processes(of: "printsim").isEmpty }
    }

    @Test func `if printsim is printing when printd exits, printsim finishes its jobs and then exits`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(speed: "x10")
        let id = try await spooler.submit(try spooler.file("a.pdf", .numbered(pages: 8)))
        try await spooler.eventually("pages are printed") { (try await spooler.job(id).impressions ?? 0) > 0 }
        spooler.stop(SIGTERM)
        let printsim = try #require(spooler.processes(of: "printsim").first)
        try await eventually("printsim has printed the job and exited") { spooler.processes(of: "printsim").isEmpty }
        #expect(try spooler.log(of: "color-laser").map(\.impressions) == [8])
        try spooler.start(speed: "instant")
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try spooler.log(of: "color-laser").count == 1, "the job is printed once")
        #expect(spooler.processes(of: "printsim").allSatisfy { $0 != printsim })
    }

    @Test func `after printd is killed, the next printd reuses the running printsim and stops printsim at exit`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", path))
        let printsim = spooler.processes(of: "printsim")
        spooler.stop(SIGKILL)
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", path))
        #expect(spooler.processes(of: "printsim") == printsim && printsim.count == 1)
        spooler.stop(SIGTERM)
        try await eventually("printsim has exited") { spooler.processes(of: "printsim").isEmpty }
    }
}
