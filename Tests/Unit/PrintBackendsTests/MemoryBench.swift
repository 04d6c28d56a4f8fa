import BackendTrials
import Foundation
import IPP
import IPPClient
import PrintBackends
import PrintModel
import PrintTestSupport

/// A bench with a printer in memory and a transport that can lose requests and responses.
struct MemoryBench: BackendBench {
    let format = DocumentFormat.pdf
    private let printer = MemoryPrinter()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func makeBackend() async throws -> any PrinterBackend {
        IPPBackend(transport: printer, printerURI: "ipp://localhost/ipp/print/memory")
    }

    func document(pages: Int) throws -> String {
        let path = folder.path("\(pages).txt")
        try "\(pages)".write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func begin(_ trouble: BackendTrouble) async throws { await printer.begin(trouble) }
    func end(_ trouble: BackendTrouble) async throws { await printer.end(trouble) }
    func paper() async throws -> [(name: String, sides: Int)] { await printer.paper }
}

/// A printer that prints immediately, unless a fault stops the printer.
///
/// A document contains the number of pages as text.
private actor MemoryPrinter: IPPTransport {
    private struct Job {
        var name: String
        var uuid = "urn:uuid:\(UUID().uuidString.lowercased())"
        var state = JobState.pending
        var pages: Int?
        var printed = 0
    }

    private var jobs: [Int: Job] = [:]
    private var lastID = 100
    private var troubles: Set<BackendTrouble> = []
    private var lastAnswer: Message?
    private var thrownAway: [Job] = []

    var paper: [(name: String, sides: Int)] {
        (thrownAway + jobs.sorted { $0.key < $1.key }.map(\.value)).filter { $0.printed > 0 }
            .map { ($0.name, $0.printed) }
    }

    func begin(_ trouble: BackendTrouble) {
        troubles.insert(trouble)
        guard trouble == .numbersBeginAnew else { return }
        thrownAway += jobs.sorted { $0.key < $1.key }.map(\.value)
        (jobs, lastID) = ([:], 0)
    }

    func end(_ trouble: BackendTrouble) {
        troubles.remove(trouble)
        for id in jobs.keys.sorted() { print(id) }
    }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        if troubles.contains(.unreachable) {
            throw IPPClientError(.unreachable, "connection refused", mayHaveBeenReceived: false)
        }
        if troubles.contains(.documentCut), document != nil {
            throw IPPClientError(.connectionLost, "the connection was lost", mayHaveBeenReceived: true)
        }
        var answer = carryOut(request, document)
        if troubles.contains(.answerLost), document != nil {
            throw IPPClientError(.connectionLost, "the connection was lost", mayHaveBeenReceived: true)
        }
        if troubles.contains(.answerRepeated), request.operation == .createJob, let lastAnswer {
            troubles.remove(.answerRepeated)
            answer = lastAnswer
        }
        lastAnswer = answer
        return answer
    }

    // MARK: - The printer

    private func carryOut(_ request: Message, _ document: DocumentSource?) -> Message {
        let id = request[.operation]?.integer("job-id").map(Int.init) ?? 0
        switch request.operation {
        case .getPrinterAttributes: return reply(groups: [AttributeGroup(.printer, attributes)])
        case .createJob:
            if troubles.contains(.busy) { return reply(.serverErrorBusy) }
            lastID += 1
            jobs[lastID] = Job(name: request[.operation]?.string("job-name") ?? "")
            return reply(groups: [shown(lastID)])
        case .sendDocument:
            guard let job = jobs[id] else { return reply(.clientErrorNotFound) }
            if troubles.contains(.documentRefused) { return reply(.clientErrorDocumentFormatNotSupported) }
            guard job.pages == nil, !job.state.isTerminal else { return reply(.clientErrorNotPossible) }
            jobs[id]?.pages = pages(of: document)
            print(id)
            return reply(groups: [shown(id)])
        case .getJobAttributes: return jobs[id] == nil ? reply(.clientErrorNotFound) : reply(groups: [shown(id)])
        case .cancelJob:
            guard let job = jobs[id] else { return reply(.clientErrorNotFound) }
            guard !job.state.isTerminal else { return reply(.clientErrorNotPossible) }
            jobs[id]?.state = .canceled
            return reply()
        default: return reply(.serverErrorOperationNotSupported)
        }
    }

    private func print(_ id: Int) {
        guard let job = jobs[id], let pages = job.pages, !job.state.isTerminal else { return }
        let isStopped = troubles.contains(.stopsAtSecondSide)
        jobs[id]?.printed = isStopped ? max(job.printed, 1) : pages
        jobs[id]?.state = isStopped ? .processingStopped : .completed
    }

    private func pages(of document: DocumentSource?) -> Int {
        guard case .file(let path)? = document, let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return 0
        }
        return Int(text) ?? 0
    }

    private func reply(_ status: Status = .successfulOk, groups: [AttributeGroup] = []) -> Message {
        Message(version: .v1_1, status: status, requestID: 1, groups: [AttributeGroup(.operation)] + groups)
    }

    private func shown(_ id: Int) -> AttributeGroup {
        let job = jobs[id] ?? Job(name: "")
        return AttributeGroup(
            .job,
            [
                Attribute("job-id", .integer(Int32(id))), Attribute("job-uuid", .uri(job.uuid)),
                Attribute("job-state", .enumeration(Int32(job.state.rawValue))),
                Attribute("job-state-reasons", .keyword(job.pages == nil ? "job-incoming" : "none")),
                Attribute("job-impressions-completed", .integer(Int32(job.printed))),
            ])
    }

    private var attributes: [Attribute] {
        let isStopped = troubles.contains(.stopsAtSecondSide)
        return [
            Attribute("printer-state", .enumeration(isStopped ? 5 : 3)),
            Attribute("printer-state-reasons", .keyword(isStopped ? "media-empty-error" : "none")),
            Attribute("document-format-supported", .mimeMediaType("application/pdf")),
            Attribute("media-supported", .keyword("iso_a4_210x297mm")),
        ]
    }
}
