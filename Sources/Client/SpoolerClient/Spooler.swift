// Sends requests to printd, starts printd if it is not running, and converts refusals to errors.

package import IPP
package import IPPClient
@_exported public import PrintModel

/// The queue of a `printd`: its jobs and its printers.
///
/// A program does with this value what a person does with `printq`, with the same rights: `printd` identifies the user
/// of the process (Unix socket), or checks the login (network).
///
///     let spooler = try Spooler()
///     let id = try await spooler.submit(JobSubmission(files: ["report.pdf"], printer: "office"))
///     print(try await spooler.why(id))                    // Job 7 is waiting because office is paused; …
///     let end = try await spooler.wait(for: id)           // the job after its end
///
/// Each method is one or a few IPP requests. The methods throw `SpoolerClientError`, and can be called from any task.
/// Canceling the task of a request ends the wait for its response.
public struct Spooler: Sendable {
    package let client: any IPPTransport
    /// The name of the user who sends the requests.
    public let user: String
    package let start: (@Sendable () async throws(SpoolerClientError) -> Void)?
    /// The spool; nil for a server on the network.
    private(set) var location: SpoolLocation?

    /// Creates a client with a transport.
    ///
    /// - Parameters:
    ///   - user: The name of the requesting user.
    ///   - start: The function that starts printd when printd does not respond. The function throws an error if printd
    ///     cannot be started. Without the function, the client reports that printd does not respond.
    package init(
        client: any IPPTransport, user: String, start: (@Sendable () async throws(SpoolerClientError) -> Void)?
    ) {
        self.client = client
        self.user = user
        self.start = start
    }

    init(
        at location: SpoolLocation, client: any IPPTransport, user: String,
        start: @escaping @Sendable () async throws(SpoolerClientError) -> Void
    ) {
        self.init(client: client, user: user, start: start)
        self.location = location
    }

    /// Sends a request about a printer or a job, and returns the response.
    ///
    /// This function throws an error if printd refuses the request.
    @discardableResult
    package func ask(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil
    ) async throws(SpoolerClientError) -> Message {
        let request = Message.request(
            operation, printer: printer, job: job, user: user, attributes: attributes, requested: requested)
        return try await send(request, isRepeatable: Self.isRepeatable(operation))
    }

    package func job(_ id: Int, _ names: [String]) async throws(SpoolerClientError) -> AttributeGroup {
        let answer = try await ask(.getJobAttributes, job: id, requested: names)
        guard let group = answer[.job] else {
            throw SpoolerClientError(.badAnswer, "printd returned no attributes of job \(id); see 'printq doctor'")
        }
        return group
    }

    /// Returns the attributes of a printer.
    ///
    /// The name nil means the default printer.
    package func printer(_ name: String?, _ names: [String]) async throws(SpoolerClientError) -> AttributeGroup {
        let answer = try await ask(.getPrinterAttributes, printer: name, requested: names)
        guard let group = answer[.printer] else {
            throw SpoolerClientError(
                .badAnswer, "printd returned no attributes of \(name ?? "the default printer"); see 'printq doctor'")
        }
        return group
    }

    /// Submits a job with its documents, and returns the number of the job.
    ///
    /// When this function returns, `printd` has stored the job on disk. A lost response does not cause a second job.
    ///
    /// - Throws: `SpoolerClientError`: `noInput` if a file cannot be read; `badDocument` if `printd` cannot print a
    ///   document; `usage` for a printer that does not exist or an option that it does not support; `notDone` if a
    ///   quota is exhausted; `temporary` if the queue is full.
    public func submit(_ submission: JobSubmission) async throws(SpoolerClientError) -> Int {
        try Self.jobID(try await accepted(submission))
    }

    /// Submits a job with its documents, and returns the response that contains the accepted job.
    ///
    /// The job has the attributes that RFC 8011 §4.2.1.2 requires, its name and its printer.
    package func accepted(_ submission: JobSubmission) async throws(SpoolerClientError) -> Message {
        let creation = submission.creation(user: user)
        let documents = submission.documents
        guard documents.count > 1 else {
            // The submission id makes the request idempotent, so it can be repeated.
            return try await send(
                creation, document: documents.first?.source, isRepeatable: documents.allSatisfy(\.isRepeatable))
        }
        var answer = try await send(creation, isRepeatable: true)
        let job = try Self.jobID(answer)
        // A repeated submission returns the complete job of the first submission.
        if let known = answer[.job].map(JobView.init), !known.reasons.contains("job-incoming") { return answer }
        for index in documents.indices {
            do {
                let request = submission.sending(index, to: job, user: user)
                answer = try await send(
                    request, document: documents[index].source, isRepeatable: documents[index].isRepeatable)
            } catch {
                guard !submission.isRepeatable else { throw error }
                // A job with a missing document must not be printed.
                _ = try? await ask(.cancelJob, job: job)
                throw SpoolerClientError(
                    error.code,
                    "job \(job) was canceled because printq cannot send '\(documents[index].name.printable)': \(error)",
                    cause: error)
            }
        }
        return answer
    }

    // MARK: - Sending

    /// Returns whether the client can repeat an IPP operation after a lost response.
    ///
    /// These operations change no data, or have no additional effect when they are repeated.
    private static func isRepeatable(_ operation: Operation) -> Bool {
        switch operation {
        case .getJobs, .getJobAttributes, .getPrinterAttributes, .cupsGetDefault, .cupsGetPrinters, .pausePrinter,
            .resumePrinter, .cupsSetDefault, .cupsGetDevices, .printqGetHosts:
            true
        default: false
        }
    }

    /// Sends a request to printd, and returns the response.
    ///
    /// This function throws an error if printd refuses the request.
    @discardableResult
    package func send(
        _ request: Message, document: DocumentSource? = nil, isRepeatable: Bool
    ) async throws(SpoolerClientError) -> Message {
        let answer = try await exchange(request, document: document, isRepeatable: isRepeatable)
        guard answer.status.isSuccess else { throw SpoolerClientError(refusal: answer) }
        return answer
    }

    /// Sends a request to printd, and returns the response with any status.
    ///
    /// If printd is not running, this function starts printd.
    func exchange(
        _ request: Message, document: DocumentSource? = nil, isRepeatable: Bool
    ) async throws(SpoolerClientError) -> Message {
        var attempts = 0
        while true {
            do throws(IPPClientError) {
                return try await client.send(request, document: document)
            } catch {
                attempts += 1
                guard let start, attempts < 3, Self.mayRepeat(error, isRepeatable: isRepeatable) else {
                    throw Self.failure(error, isRepeatable: isRepeatable)
                }
                try await start()
            }
        }
    }

    /// Returns whether the client can send the request again after a restart of printd.
    private static func mayRepeat(_ error: IPPClientError, isRepeatable: Bool) -> Bool {
        switch error.code {
        case .unreachable: true
        case .connectionLost: isRepeatable || !error.mayHaveBeenReceived
        default: false
        }
    }

    /// Converts a transport error to an error for the user.
    ///
    /// If printd might have performed the request, the message explains how to check the result.
    private static func failure(_ error: IPPClientError, isRepeatable: Bool) -> SpoolerClientError {
        var failure = SpoolerClientError(error)
        let isDoubtful = error.mayHaveBeenReceived && !isRepeatable && failure.code == .temporary
        failure.message += isDoubtful ? "; check with 'printq queue' whether printd processed the request" : ""
        return failure
    }

    package static func jobID(_ answer: Message) throws(SpoolerClientError) -> Int {
        guard let id = answer[.job]?.integer("job-id") else {
            throw SpoolerClientError(.badAnswer, "printd accepted a job but returned no job number; see 'printq queue'")
        }
        return Int(id)
    }
}
