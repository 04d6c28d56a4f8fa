import Foundation
import PrintTestSupport
import Testing

/// Tests of each error policy with a network printer that is switched off and on.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ErrorPolicyTests {
    private let spooler: TestSpooler
    private let printer: NetworkPrinter
    private let path: String

    init() async throws {
        spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start()
        printer = try NetworkPrinter()
        path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.administer("lpadmin", "-p", "office", "-E", "-v", printer.uri))
        // printd has read the printer's capabilities after the first job.
        expect(try await spooler.printq("submit", "--wait", "-d", "office", path))
    }

    private func submitToSwitchedOff(_ policy: String) async throws -> Int {
        expect(try await spooler.printq("printers", "policy", "office", policy))
        printer.switchOff()
        return try await spooler.submit(path, "-d", "office")
    }

    @Test func `with the error policy 'retry-job', the job is printed after the printer is switched on again`()
        async throws
    {
        let id = try await submitToSwitchedOff("retry-job")
        let next = try await spooler.submit(path, "-d", "office")
        try await spooler.eventually("the job waits for the printer") {
            try await spooler.job(id).reasons == ["resources-are-not-ready"]
        }
        #expect(try await spooler.job(next).state == "pending")
        try printer.switchOn()
        for id in [id, next] { try await spooler.waitForEnd(of: id) }
        #expect(try await spooler.jobs("--completed").map(\.state) == ["completed", "completed", "completed"])
        #expect(try printer.log.count == 3)
    }

    @Test func `with the error policy 'abort-job', the job is aborted, and the next job is printed`() async throws {
        let id = try await submitToSwitchedOff("abort-job")
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "aborted")
        try printer.switchOn()
        expect(try await spooler.printq("submit", "--wait", "-d", "office", path))
        #expect(try printer.log.count == 2)
    }

    @Test func `with the error policy 'stop-printer', the printer is paused until a user resumes the printer`()
        async throws
    {
        let id = try await submitToSwitchedOff("stop-printer")
        try await spooler.eventually("the printer is paused") {
            try await spooler.printq("printers").output.contains("paused")
        }
        #expect(try await spooler.job(id).state == "pending")
        let why = try await spooler.printq("why", "\(id)").output
        let cause = "error policy 'stop-printer', because job 2 could not be delivered: "
        let way = "'printq printers resume office'"
        #expect(why.contains("office is paused (\(cause)") && why.contains(way), "\(why)")
        let words = "Paused: \(cause)"
        let lpstat = try await spooler.run("lpstat", ["-h", spooler.socket, "-p", "office"]).output
        #expect(lpstat.contains("disabled") && lpstat.contains(words) && lpstat.contains(way), "\(lpstat)")
        let table = try await spooler.printq("printers").output
        #expect(table.contains(words) && table.contains(way), "\(table)")
        let doctor = try await spooler.printq("doctor").output
        #expect(doctor.contains("office is paused (error policy 'stop-printer'") && doctor.contains(way), "\(doctor)")
        try printer.switchOn()
        #expect(try await spooler.printq("printers").output.contains("paused"))
        expect(try await spooler.printq("printers", "resume", "office"))
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try printer.log.count == 2)
    }

    /// Sends a job to the printer, which has no paper, and waits until the job has stopped.
    private func submitToEmpty() async throws -> Int {
        expect(try await printer.control("fault", "media-empty"))
        let id = try await spooler.submit(path, "-d", "office")
        try await eventually("the printer has the job") { try await spooler.job(id).state == "processing-stopped" }
        return id
    }

    @Test(arguments: [true, false])
    func `a printer can be removed after the printer is switched off during a job`(isCanceledBefore: Bool) async throws
    {
        let id = try await submitToEmpty()
        printer.switchOff()
        try await eventually("the printer does not respond") {
            try await spooler.printq("why", "\(id)").output.contains("Waiting for the printer's response")
        }
        if isCanceledBefore {
            expect(try await spooler.printq("cancel", "\(id)"))
            try await eventually("the message explains the delayed cancel") {
                try await spooler.printq("why", "\(id)").output.hasPrefix(
                    "Job \(id) is being canceled. Waiting for the printer's response: ")
            }
        }
        let removed = try await spooler.printq("printers", "remove", "office", "--cancel-jobs")
        expect(removed)
        let job = try await spooler.job(id)
        #expect(job.state == "canceled")
        let why = try await spooler.printq("why", "\(id)").output
        #expect(why.contains("office did not respond before its removal and may still print the job"), "\(why)")
    }

    @Test func `if a printer's URI is changed during a job, the job continues at the old URI`() async throws {
        let id = try await submitToEmpty()
        let other = try NetworkPrinter()
        let changed = try await spooler.printq("printers", "change", "office", "--uri", other.uri)
        expect(changed)
        #expect(
            changed.output.contains("job \(id) is already at the printer; printd keeps polling the job at the old URI"),
            "\(changed)")
        let next = try await spooler.submit(path, "-d", "office")
        expect(try await printer.control("clear", "media-empty"))
        for id in [id, next] { try await spooler.waitForEnd(of: id) }
        #expect(try printer.log.count == 2)
        #expect(try other.log.count == 1)
    }
}
