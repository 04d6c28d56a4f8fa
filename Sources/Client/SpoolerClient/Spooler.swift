// The conversation with printd: sends requests, starts the daemon when nobody answers, turns refusals into errors.

package import IPP
package import IPPClient
import PrintModel

/// printd's queue, as a client sees it.
package struct Spooler: Sendable {
    package let client: any IPPTransport
    package let user: String
    package let start: @Sendable () throws(SpoolerClientError) -> Void

    /// The queue behind a transport.
    ///
    /// - Parameters:
    ///   - user: who asks.
    ///   - start: starts the daemon, or throws why it cannot; called when nobody answers.
    package init(
        client: any IPPTransport, user: String, start: @escaping @Sendable () throws(SpoolerClientError) -> Void
    ) {
        self.client = client
        self.user = user
        self.start = start
    }

    /// Sends a request about a printer or a job, and gives the answer if it is no refusal.
    @discardableResult
    package func ask(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil
    ) async throws(SpoolerClientError) -> Message {
        let request = Message.request(
            operation, printer: printer, job: job, user: user, attributes: attributes, requested: requested)
        return try await send(request, isRepeatable: Self.onlyLooks.contains(operation))
    }

    /// The attributes of a job.
    package func job(_ id: Int, _ names: [String]) async throws(SpoolerClientError) -> AttributeGroup {
        let answer = try await ask(.getJobAttributes, job: id, requested: names)
        guard let group = answer[.job] else {
            throw SpoolerClientError(.badAnswer, "printd says nothing of job \(id); see 'printq doctor'")
        }
        return group
    }

    /// The attributes of a printer; nil asks for the default one.
    package func printer(_ name: String?, _ names: [String]) async throws(SpoolerClientError) -> AttributeGroup {
        let answer = try await ask(.getPrinterAttributes, printer: name, requested: names)
        guard let group = answer[.printer] else {
            throw SpoolerClientError(.badAnswer, "printd says nothing of \(name ?? "its printer"); see 'printq doctor'")
        }
        return group
    }

    /// Sends a job with its documents, and gives its number; when it returns, printd keeps the job.
    package func submit(_ submission: JobSubmission) async throws(SpoolerClientError) -> Int {
        let creation = submission.creation(user: user)
        let documents = submission.documents
        guard documents.count > 1 else {
            // The submission id makes it safe to send the same again.
            let answer = try await send(
                creation, document: documents.first?.source, isRepeatable: documents.allSatisfy(\.isRepeatable))
            return try Self.jobID(answer)
        }
        let job = try Self.jobID(try await send(creation, isRepeatable: true))
        for index in documents.indices {
            do {
                let request = submission.sending(index, to: job, user: user)
                try await send(request, document: documents[index].source, isRepeatable: false)
            } catch {
                // All or nothing: a job that lacks a document is none.
                _ = try? await ask(.cancelJob, job: job)
                throw SpoolerClientError(
                    error.code, "\(documents[index].name.printable) was not taken, so job \(job) is canceled: \(error)",
                    cause: error)
            }
        }
        return job
    }

    // MARK: - Sending

    /// What may be sent again when its answer is lost.
    private static let onlyLooks: Set<Operation> = [
        .getJobs, .getJobAttributes, .getPrinterAttributes, .cupsGetDefault, .cupsGetPrinters, .pausePrinter,
        .resumePrinter, .cupsSetDefault, .cupsGetDevices,
    ]

    /// Sends a request, and gives the answer if it is no refusal.
    @discardableResult
    package func send(
        _ request: Message, document: DocumentSource? = nil, isRepeatable: Bool
    ) async throws(SpoolerClientError) -> Message {
        let answer = try await exchange(request, document: document, isRepeatable: isRepeatable)
        guard answer.status.isSuccess else { throw SpoolerClientError(refusal: answer) }
        return answer
    }

    /// Sends a request, and gives the answer, whatever it says; starts printd when nobody answers.
    func exchange(
        _ request: Message, document: DocumentSource? = nil, isRepeatable: Bool
    ) async throws(SpoolerClientError) -> Message {
        var attempts = 0
        while true {
            do throws(IPPClientError) {
                return try await client.send(request, document: document)
            } catch {
                attempts += 1
                guard attempts < 3, Self.mayRepeat(error, isRepeatable: isRepeatable) else {
                    throw Self.failure(error, isRepeatable: isRepeatable)
                }
                try start()
            }
        }
    }

    /// Whether the request may go out once more, to a daemon that runs again.
    private static func mayRepeat(_ error: IPPClientError, isRepeatable: Bool) -> Bool {
        switch error.code {
        case .unreachable: true
        case .connectionLost: isRepeatable || !error.mayHaveBeenReceived
        default: false
        }
    }

    /// The failure; where it is not known whether printd did what it was asked, it says how to find out.
    private static func failure(_ error: IPPClientError, isRepeatable: Bool) -> SpoolerClientError {
        var failure = SpoolerClientError(error)
        let isDoubtful = error.mayHaveBeenReceived && !isRepeatable && failure.code == .temporary
        failure.message += isDoubtful ? "; see with 'printq queue' whether it was done" : ""
        return failure
    }

    package static func jobID(_ answer: Message) throws(SpoolerClientError) -> Int {
        guard let id = answer[.job]?.integer("job-id") else {
            throw SpoolerClientError(.badAnswer, "printd took a job but gave it no number; see 'printq queue'")
        }
        return Int(id)
    }
}
