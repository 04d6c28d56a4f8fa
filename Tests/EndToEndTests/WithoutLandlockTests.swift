import Foundation
import PrintTestSupport
import Testing

/// Tests of printd on a kernel without Landlock.
@Suite(.timeLimit(.minutes(3))) struct WithoutLandlockTests {
    private func spooler(settings: String?) throws -> TestSpooler {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        if let settings {
            try Data(settings.utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        }
        try spooler.start(launcher: spooler.program("without-landlock"))
        return spooler
    }

    @Test func `without Landlock, jobs wait, and the job message and 'printq doctor' explain the reason`() async throws
    {
        let spooler = try spooler(settings: nil)
        expect(try await spooler.printq("submit", try spooler.file("a.pdf", .numbered(pages: 1))))
        try await spooler.eventually("the job message names the setting") {
            try await spooler.job(1).message?.contains("worker.requireLandlock") == true
        }
        #expect(try await spooler.job(1).state != "aborted")
        #expect(try await spooler.printq("why", "1").output.contains("set worker.requireLandlock to false"))
        #expect(try await spooler.printq("show", "1").output.contains("worker.requireLandlock"))
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains("error: documents wait because this kernel has no Landlock"), "\(doctor)")
    }

    @Test func `without Landlock, HTML documents wait unless the setting 'worker.requireLandlock' is false`()
        async throws
    {
        let page = Array("<!DOCTYPE html><p>Hello".utf8)
        let waiting = try spooler(settings: nil)
        expect(try await waiting.printq("submit", try waiting.file("a.html", page)))
        try await waiting.eventually("the job message names the setting") {
            try await waiting.job(1).message?.contains("worker.requireLandlock") == true
        }
        let printing = try spooler(settings: "{worker: {requireLandlock: false}}")
        expect(try await printing.printq("submit", "--wait", try printing.file("a.html", page)))
    }

    @Test
    func `without Landlock and with 'requireLandlock=false', jobs are printed, and 'printq doctor' shows a warning`()
        async throws
    {
        let spooler = try spooler(settings: "{worker: {requireLandlock: false}}")
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains("warning: print-worker is not restricted to the files of its job"), "\(doctor)")
    }
}
