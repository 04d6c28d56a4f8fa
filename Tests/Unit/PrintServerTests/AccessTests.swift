import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintSpool
import Testing

/// Tests of each cell of the access table with the real service.
struct AccessTests {
    /// A cell of the table: the operation, the requester, and the ownership of the job or subscription.
    struct Cell: CustomTestStringConvertible, Sendable {
        var operation: IPP.Operation
        var kind: RequesterKind
        var ownership: Ownership

        var testDescription: String { "\(operation), \(kind.rawValue), \(ownership.rawValue)" }
    }

    static let cells = IPP.Operation.accessRules.flatMap { operation, _ in
        RequesterKind.allCases.flatMap { kind in
            Ownership.allCases.map { Cell(operation: operation, kind: kind, ownership: $0) }
        }
    }.filter { !elsewhere.contains($0.operation) }

    /// The operations that the spool does not support.
    static let elsewhere: [IPP.Operation] = [
        .printURI, .sendURI, .setPrinterAttributes, .getPrinterSupportedValues,
    ]

    private static func peer(_ kind: RequesterKind) -> Peer {
        switch kind {
        case .anonymous: .tcp(address: "127.0.0.1", port: 1)
        case .user: TestAccounts.shared.peer("ann")
        case .administrator: .unix(uid: 0, gid: 0, pid: 1)
        }
    }

    /// Returns the owner of the job or subscription of the request.
    private static func owner(_ cell: Cell) -> String {
        switch (cell.ownership, cell.kind) {
        case (.others, _): "ben"
        case (.own, .anonymous): AnonymousClient.name
        case (.own, .user): "ann"
        case (.own, .administrator): "root"
        }
    }

    @Test(arguments: cells) func `each IPP request is allowed or refused according to the access table`(cell: Cell)
        async throws
    {
        let world = try await AccessWorld(owner: Self.owner(cell))
        let answer = try await world.ask(cell.operation, cell.ownership, from: Self.peer(cell.kind))
        let isRefused = answer.status == .clientErrorNotAuthorized
        switch cell.operation.access.permission(of: cell.kind, cell.ownership) {
        case .allowed:
            #expect(!isRefused, "\(answer)")
            // The spool of this test is not shared with other hosts.
            let isAboutHosts = [.printqGetHosts, .printqChangeHosts].contains(cell.operation)
            #expect(
                isAboutHosts ? answer.status == .clientErrorNotPossible : answer.status.rawValue < 0x0400, "\(answer)")
        case .refused:
            // Get-Subscriptions lists only the subscriptions that the requester may see, so the list may be empty.
            if cell.operation == .getSubscriptions {
                #expect(answer.groups(.subscription).isEmpty)
            } else {
                #expect(isRefused, "\(answer)")
            }
            #expect(try await world.isUntouched())
        case .withoutPrivateValues:
            #expect(answer.status == .successfulOk)
            let shown = answer.groups(.job)
            #expect(!shown.isEmpty)
            for job in shown {
                #expect(job["job-state"] != nil)
                for name in [
                    "job-name", "job-originating-user-name", "document-name-supplied", "job-state-message", "copies",
                    "printq-why", "printq-condition", "printq-output-folder", "printq-job-events",
                ] { #expect(job[name] == nil, "\(name)") }
            }
        }
    }
}

/// A spool with jobs in several states and a subscription, all of one owner.
private struct AccessWorld {
    let quiet: QuietSpool
    let operations: PrinterOperations
    private let targets: AccessTargets
    private let before: [Job]

    init(owner: String) async throws {
        quiet = try await QuietSpool()
        operations = PrinterOperations(
            quiet.service, events: quiet.service, numbersJobsGlobally: true, isOpen: false,
            accounts: TestAccounts.shared.accounts, clock: Spool.systemTime)
        let spool = quiet.spool
        func submit(_ name: String) async throws -> Int {
            var ticket = JobTicket()
            ticket.copies = 2
            let incoming = spool.makeIncoming()
            try incoming.write("%PDF-1.4".utf8)
            return try await spool.submit(
                Submission(printer: "quiet", owner: owner, name: name, ticket: ticket),
                documents: [(incoming, name: "\(name).pdf", format: .pdf)]
            ).id
        }
        let ended = try await submit("ended")
        try await spool.change(ended, .cancelRequested(byOperator: false))
        let suspended = try await submit("suspended")
        try await spool.change(suspended, .claimed)
        try await spool.change(suspended, .doubted(message: "The printer lost it"))
        let waiting = try await submit("secret")
        let incoming = try await spool.createJob(Submission(printer: "quiet", owner: owner, name: "incoming")).id
        let unclosed = try await spool.createJob(Submission(printer: "quiet", owner: owner, name: "unclosed")).id
        let piece = spool.makeIncoming(for: unclosed)
        try piece.write("%PDF-1.4".utf8)
        _ = try await spool.addDocument(piece, name: nil, format: .pdf, to: unclosed, isLast: false)
        try await spool.addPrinter(ConfiguredPrinter(name: "other", deviceURI: "folder:/tmp/other"))
        let peer: Peer =
            owner == "root"
            ? .unix(uid: 0, gid: 0, pid: 1)
            : owner == AnonymousClient.name
                ? .tcp(address: "127.0.0.1", port: 1) : TestAccounts.shared.peer(owner)
        var targets = AccessTargets(
            printer: "quiet", otherPrinter: "other", owner: owner, waiting: waiting, incoming: incoming,
            unclosed: unclosed, ended: ended, suspended: suspended, subscription: 0)
        let (message, document) = targets.request(.createPrinterSubscriptions, .own)
        let made = await Self.ask(operations, message, document, peer: peer)
        targets.subscription = made[.subscription]?.integer("notify-subscription-id") ?? 0
        self.targets = targets
        before = try await spool.jobs(JobFilter(.all))
    }

    /// Returns whether no job has changed.
    func isUntouched() async throws -> Bool { try await quiet.spool.jobs(JobFilter(.all)) == before }

    func ask(_ operation: IPP.Operation, _ ownership: Ownership, from peer: Peer) async throws -> Message {
        // For requests about jobs, only the job id determines the ownership.
        let (message, document) = targets.request(operation, ownership)
        return await Self.ask(operations, message, document, peer: peer)
    }

    private static func ask(
        _ operations: PrinterOperations, _ message: Message, _ document: String, peer: Peer
    ) async -> Message {
        await operations.respond(
            to: IPPRequest(message: message, document: DocumentStream(bytes: Array(document.utf8)), peer: peer))
    }
}
