import AsyncPrimitives
import Foundation
import IPP
import IPPTestSupport
import Logging
import PrintIPP
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

/// Tests of requests on the thread of an event loop, which must not block.
@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let operations: PrinterOperations
    /// Whether the thread could block each time the output of a job was requested.
    private let places = Places()
    private let eventLoop = BlockingThreads()

    private final class Places: Sendable {
        let mayBlock = Mutex<[Bool]>([])
    }

    init() async throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path("spool"))
        try await spool.addPrinter(ConfiguredPrinter(name: "quiet", deviceURI: "test:quiet", isDefault: true))
        let directory = PrinterDirectory(clock: Spool.systemTime) { _ in QuietPrinter() }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: RefusingWorker(), logger: Logger(label: "test"))
        let output = JobOutput.folder(folder.path)
        let service = SpoolService(
            RecentEvents(spool: spool, after: 0), scheduler: scheduler, directory: directory,
            output: { [places] _, _ in
                places.mayBlock.withLock { $0.append(BlockingCall.mayBlock) }
                return output
            }, checkUp: { [] })
        operations = PrinterOperations(
            service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
        await eventLoop.run { BlockingCall.forbidOnThisThread() }
    }

    /// Returns the first part of the response to a request that is handled on the event loop.
    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], document: [UInt8] = []
    ) async -> Message {
        let message = Message(
            version: .v1_1, operation: operation, requestID: 1,
            groups: [
                .operation([Attribute("printer-uri", .uri("ipp://localhost/printers/quiet"))] + attributes)
            ])
        let request = IPPRequest(
            message: message, document: DocumentStream(bytes: document), peer: TestAccounts.shared.peer("ann"))
        return await withTaskExecutorPreference(eventLoop) { await operations.answer(to: request).message }
    }

    private func list(_ jobs: Int) async throws -> [Bool] {
        for _ in 0..<jobs { #expect(await ask(.printJob, document: Array("%PDF-1.4".utf8)).status == .successfulOk) }
        let answer = await ask(.getJobs, [Attribute("requested-attributes", .keyword("printq-output-files"))])
        let files = try #require(answer[.job]?.strings("printq-output-files"))
        #expect(files == ["spool"])
        return places.mayBlock.withLock { $0 }
    }

    @Test func `a short list of jobs is made on the event loop`() async throws {
        #expect(try await list(2) == [false, false])
    }

    @Test func `a long list of jobs is made on other threads`() async throws {
        #expect(try await list(60) == .init(repeating: true, count: 60))
    }

    // The file system checks in debug builds that its calls may block.
    @Test func `a large document is written on other threads`() async throws {
        let document = Array("%PDF-1.4".utf8) + [UInt8](repeating: 0, count: 300_000)
        let answer = await ask(.printJob, document: document)
        #expect(answer.status == .successfulOk)
        #expect(try await spool.documents(of: 1).map(\.format) == [.pdf])
        let refused = await ask(.printJob, document: .init(repeating: 0, count: 300_000))
        #expect(refused.status != .successfulOk)
        let incoming = try FileManager.default.contentsOfDirectory(atPath: folder.path("spool/incoming"))
        #expect(incoming.isEmpty)
    }
}
