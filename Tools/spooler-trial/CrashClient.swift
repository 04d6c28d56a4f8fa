// Simulates a client in a crash trial, which performs random operations and records the responses.

import IPP
import IPPClient
import PrintModel
import SpoolerTrials

/// A client with separate jobs.
///
/// It repeats each request until it gets a response.
actor CrashClient {
    private let number: Int
    private let world: CrashTrial.World
    private let client: TrialClient
    private var random: SeededRandom
    private var submissions = 0
    /// The numbers of the client's jobs, the newest last.
    private var jobs: [Int] = []

    init(_ number: Int, in world: CrashTrial.World, random: SeededRandom) {
        self.number = number
        self.world = world
        self.random = random
        client = TrialClient(world.spooler.client())
    }

    func close() async { await client.close() }

    /// Performs random operations, one after another.
    func act(times count: Int) async throws {
        for _ in 0..<count {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<18: try await print(world.documents.small)
            case ..<32: try await print(world.documents.long)
            case ..<47: try await print(world.documents.large)
            case ..<53: try await print(world.documents.small, isHeld: true)
            case ..<65: try await printInParts()
            case ..<77: try await cancel()
            case ..<84: try await change(.holdJob)
            case ..<91: try await change(.releaseJob)
            case ..<94: try await ask(.pausePrinter)
            case ..<98: try await ask(.resumePrinter)
            default: try await move()
            }
        }
    }

    // MARK: - Submitting

    private func nextName() -> String {
        submissions += 1
        return "c\(number)-\(submissions)"
    }

    private var somePrinter: String { CrashTrial.printers.randomElement(using: &random) ?? "color-laser" }

    /// Sends Print-Job until it is acknowledged, and sometimes repeats it after that.
    private func print(_ document: [UInt8], isHeld: Bool = false) async throws {
        let name = nextName()
        let printer = somePrinter
        let ticket = isHeld ? [Attribute("job-hold-until", .keyword("indefinite"))] : []
        var attributes = Self.naming(name) + Self.document(name)
        attributes.append(Attribute("ipp-attribute-fidelity", .boolean(true)))
        try await accepted(name) { [client, world] in
            try await client.insist(
                .printJob, printer: printer, attributes: attributes, ticket: ticket, document: document
            ) { world.count("answers lost") }
        }
        guard Int.random(in: 0..<8, using: &random) == 0 else { return }
        try await accepted(name) { [client] in
            try await client.insist(
                .printJob, printer: printer, attributes: attributes, ticket: ticket, document: document)
        }
        world.count("submissions repeated after their answer")
    }

    /// Sends Create-Job, two documents, and sometimes Close-Job.
    private func printInParts() async throws {
        let name = nextName()
        let printer = somePrinter
        let closes = Bool.random(using: &random)
        let id = try await accepted(name) { [client, world] in
            try await client.insist(.createJob, printer: printer, attributes: Self.naming(name)) {
                world.count("answers lost")
            }
        }
        for index in 0..<2 {
            let document = index == 0 ? world.documents.small : world.documents.large
            try await send(document, index: index, isLast: index == 1 && !closes, to: id)
        }
        if closes { _ = try await client.insist(.closeJob, job: id) }  // a repeated request is rejected as not possible
    }

    /// Sends a document with Send-Document.
    ///
    /// A document must not be sent twice, so after a lost response the job is checked.
    private func send(_ document: [UInt8], index: Int, isLast: Bool, to id: Int) async throws {
        let attributes = Self.document("part \(index)") + [Attribute("last-document", .boolean(isLast))]
        while true {
            do throws(IPPClientError) {
                let answer = try await client.send(.sendDocument, job: id, attributes: attributes, document: document)
                guard answer.status.isSuccess else {
                    throw IPPClientError(.badResponse, "\(answer)", mayHaveBeenReceived: true)
                }
                return
            } catch {
                guard error.code != .badResponse else { throw error }
                world.count("answers lost")
            }
            let count = try await client.job(id, ["number-of-documents"])?.integer("number-of-documents") ?? 0
            if count > index { return }
        }
    }

    /// Records an acknowledged submission.
    @discardableResult
    private func accepted(_ name: String, _ submit: () async throws -> Message) async throws -> Int {
        let answer = try await submit()
        guard answer.status.isSuccess, let group = answer[.job], let id = group.integer("job-id").map(Int.init),
            let uuid = group.string("job-uuid")
        else { throw Refused(description: "\(name) was rejected: \(answer)") }
        world.note(.accepted(submission: name, client: number, job: id, uuid: uuid))
        if jobs.last != id { jobs.append(id) }
        return id
    }

    /// The error for a rejected submission.
    struct Refused: Error, CustomStringConvertible { var description: String }

    private static func naming(_ name: String) -> [Attribute] {
        [Attribute("job-name", .name(name)), Attribute("printq-submission-id", .name(name))]
    }

    private static func document(_ name: String) -> [Attribute] {
        [Attribute("document-name", .name(name)), Attribute("document-format", .mimeMediaType("application/pdf"))]
    }

    // MARK: - Changing jobs

    private var someJob: Int? { jobs.suffix(8).randomElement(using: &random) }

    /// Sends Cancel-Job until it gets a response, and then checks the job.
    private func cancel() async throws {
        guard let id = someJob else { return }
        world.note(.cancelAsked(job: id))
        _ = try await client.insist(.cancelJob, job: id)
        guard let state = try await client.job(id, ["job-state"])?.integer("job-state") else { return }
        if let state = JobState(rawValue: Int(state)) { world.note(.cancelAnswered(job: id, state: state)) }
        world.count("cancels")
    }

    /// Sends Hold-Job or Release-Job once, because a repeated release might release a job that was suspended meanwhile.
    private func change(_ operation: Operation) async throws {
        guard let id = someJob else { return }
        if operation == .releaseJob {
            let state = try await client.job(id, ["job-state"])?.integer("job-state")
            guard state == Int32(JobState.pendingHeld.rawValue) else { return }
        }
        if (try? await client.send(operation, job: id)) != nil { world.count("\(operation)s") }
    }

    private func ask(_ operation: Operation) async throws {
        _ = try await client.insist(operation, printer: somePrinter)
        world.count("\(operation)s")
    }

    /// Sends CUPS-Move-Job, if printd supports it.
    private func move() async throws {
        guard let id = someJob else { return }
        let target = Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(somePrinter)"))
        let answer = try await client.insist(.cupsMoveJob, job: id, ticket: [target])
        if answer.status.isSuccess { world.count("moves") }
    }
}
