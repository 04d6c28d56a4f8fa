// Tests requests that list or change many jobs: their statements do not grow with the number of jobs.

import IPP
import PrintIPP
import PrintModel
import PrintSpool
import Synchronization
import Testing

struct SeveralJobsTests {
    /// The SQL statements that the spool runs.
    private final class Statements: Sendable {
        private let statements = Mutex<[String]>([])

        func note(_ statement: String) { statements.withLock { $0.append(statement) } }

        /// Returns the number of statements that begin with a text and were run during `body`.
        func count(_ prefix: String, during body: () async throws -> Void) async rethrows -> Int {
            statements.withLock { $0 = [] }
            try await body()
            return statements.withLock { $0.count { $0.hasPrefix(prefix) } }
        }
    }

    private let statements = Statements()
    private let quiet: QuietSpool
    private var spool: Spool { quiet.spool }

    init() async throws {
        quiet = try await QuietSpool(medium: .disk(trace: { [statements] in statements.note($0) }))
    }

    private func submit(_ count: Int, owner: String = "ann") async throws {
        for _ in 0..<count {
            try await spool.submit(Submission(printer: "quiet", owner: owner, name: "letter"), documents: [])
        }
    }

    private func ask(_ operation: IPP.Operation, _ uri: String, _ attributes: [Attribute] = []) async -> Message {
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, clock: Spool.systemTime)
        let group = AttributeGroup.operation([Attribute("printer-uri", .uri("ipp://localhost/\(uri)"))] + attributes)
        return await operations.respond(
            to: IPPRequest(
                message: Message(operation: operation, requestID: 1, groups: [group]),
                peer: .unix(uid: 0, gid: 0, pid: 1)))
    }

    @Test func `a request that cancels all jobs has one transaction for 200 jobs`() async throws {
        try await submit(300)
        let commits = await statements.count("BEGIN IMMEDIATE") {
            #expect(await ask(.cancelJobs, "printers/quiet").status == .successfulOk)
        }
        #expect(commits == 2)
        #expect(try await spool.jobs(JobFilter(.completed)).allSatisfy { $0.reasons == [.jobCanceledByOperator] })
        #expect(try await spool.jobs().isEmpty)
    }

    @Test func `a request that moves all jobs of a printer has one transaction for 200 jobs`() async throws {
        try await spool.addPrinter(ConfiguredPrinter(name: "office", deviceURI: "test:office"))
        try await submit(300)
        try await spool.change(1, .claimed)
        let destination = Attribute("job-printer-uri", .uri("ipp://localhost/printers/office"))
        let commits = await statements.count("BEGIN IMMEDIATE") {
            #expect(await ask(.cupsMoveJob, "printers/quiet", [destination]).status == .successfulOk)
        }
        #expect(commits == 2)
        let jobs = try await spool.jobs()
        #expect(jobs.count { $0.printer == "office" } == 299)
        #expect(jobs.filter { $0.printer == "quiet" }.map(\.id) == [1])
    }

    @Test func `the removal of a printer cancels or moves its jobs with one transaction for 200 jobs`() async throws {
        try await spool.addPrinter(ConfiguredPrinter(name: "office", deviceURI: "test:office"))
        try await submit(300)
        let moved = await statements.count("BEGIN IMMEDIATE") {
            let answer = await ask(
                .cupsDeletePrinter, "printers/quiet",
                [
                    Attribute("printq-left-jobs", .keyword("move")),
                    Attribute("job-printer-uri", .uri("ipp://localhost/printers/office")),
                ])
            #expect(answer.status == .successfulOk)
        }
        #expect(moved == 3)
        let canceled = await statements.count("BEGIN IMMEDIATE") {
            #expect(await ask(.cupsDeletePrinter, "printers/office").status == .successfulOk)
        }
        #expect(canceled == 3)
        #expect(try await spool.jobs(JobFilter(.completed)).count == 300)
    }

    @Test func `the statements of a list with 'printq-documents-kept' do not grow with the number of jobs`()
        async throws
    {
        // A new connection to the database runs statements of its own, so the lowest of ten counts is used.
        func selections(_ name: String) async -> Int? {
            let requested = Attribute("requested-attributes", .keyword(name))
            var counts: [Int] = []
            for _ in 0..<10 {
                counts.append(
                    await statements.count("SELECT") {
                        let answer = await ask(.getJobs, "", [requested])
                        #expect(answer.groups(.job).allSatisfy { $0[name] != nil })
                    })
            }
            return counts.min()
        }
        try await submit(2)
        let (few, without) = (
            try #require(await selections("printq-documents-kept")), try #require(await selections("job-id"))
        )
        #expect(few - without <= 2)
        try await submit(98)
        #expect(await selections("printq-documents-kept") == few)
    }
}
