import Foundation
import PrintTestSupport
import Testing

/// A printer on the network that is switched off and on, under each policy.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct ErrorPolicyTests {
    private let spooler: Spooler
    private let printer: NetworkPrinter
    private let path: String

    init() async throws {
        spooler = try Spooler()
        try spooler.start()
        printer = try NetworkPrinter()
        path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.administer("lpadmin", "-p", "office", "-E", "-v", printer.uri))
        // It has been asked what it can do.
        expect(try await spooler.printq("submit", "--wait", "-d", "office", path))
    }

    private func submitToSwitchedOff(_ policy: String) async throws -> Int {
        expect(try await spooler.printq("printers", "policy", "office", policy))
        printer.switchOff()
        return try await spooler.submit(path, "-d", "office")
    }

    @Test func `retry-job: a printer that comes back goes on without a hand`() async throws {
        let id = try await submitToSwitchedOff("retry-job")
        let next = try await spooler.submit(path, "-d", "office")
        try await spooler.eventually("it waits for the printer") {
            try await spooler.job(id).reasons == ["resources-are-not-ready"]
        }
        #expect(try await spooler.job(next).state == "pending")
        try printer.switchOn()
        for id in [id, next] { try await spooler.waitForEnd(of: id) }
        #expect(try await spooler.jobs("--completed").map(\.state) == ["completed", "completed", "completed"])
        #expect(try printer.log.count == 3)
    }

    @Test func `abort-job: the job is given up, and the next one printed`() async throws {
        let id = try await submitToSwitchedOff("abort-job")
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "aborted")
        try printer.switchOn()
        expect(try await spooler.printq("submit", "--wait", "-d", "office", path))
        #expect(try printer.log.count == 2)
    }

    @Test func `stop-printer: the printer is paused until somebody resumes it, and loses no job`() async throws {
        let id = try await submitToSwitchedOff("stop-printer")
        try await spooler.eventually("it is paused") { try await spooler.printq("printers").output.contains("paused") }
        #expect(try await spooler.job(id).state == "pending")
        let why = try await spooler.printq("why", "\(id)").output
        #expect(why.contains("paused"), "\(why)")
        try printer.switchOn()
        #expect(try await spooler.printq("printers").output.contains("paused"))
        expect(try await spooler.printq("printers", "resume", "office"))
        try await spooler.waitForEnd(of: id)
        #expect(try await spooler.job(id).state == "completed")
        #expect(try printer.log.count == 2)
    }
}
