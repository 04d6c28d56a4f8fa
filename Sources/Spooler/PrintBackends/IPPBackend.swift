// A printer that speaks IPP: a simulated one, or a real one.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel

/// The way to a printer that speaks IPP (RFC 8011).
///
/// A job is made with Create-Job, so that its id can be stored before the document goes with Send-Document; then it is
/// looked up by that id and its `job-uuid`.
public struct IPPBackend: PrinterBackend {
    private let transport: any IPPTransport
    private let printerURI: String
    /// How the printer tells of its jobs.
    let news = PrinterNotifications()
    private let dialect: Dialect
    /// Whether the printer is told the number that a job has in the queue.
    private let tellsNumbers: Bool

    /// What one kind of printer says otherwise than the others.
    struct Dialect: Sendable {
        /// What to ask of a job.
        var jobAttributeNames = RemoteJobStatus.attributeNames
        /// How a job is doing whose attributes are these; nil when they do not say.
        var status: @Sendable (AttributeGroup) -> RemoteJobStatus? = { RemoteJobStatus(attributes: $0) }
        /// What a job is made with.
        var attributes: @Sendable (DeliveryRequest) -> [Attribute] = { $0.options.attributes }
    }

    /// The printer at a URI, reached through a transport.
    ///
    /// - Parameter tellsNumbers: Whether the printer is told the number that a job has in the queue (`printq-job-id`). A
    ///   simulated printer of the queue names the folder of the job's pages after it.
    public init(transport: any IPPTransport, printerURI: String, tellsNumbers: Bool = false) {
        self.init(transport: transport, printerURI: printerURI, dialect: Dialect(), tellsNumbers: tellsNumbers)
    }

    init(transport: any IPPTransport, printerURI: String, dialect: Dialect, tellsNumbers: Bool = false) {
        self.transport = transport
        self.printerURI = printerURI
        self.dialect = dialect
        self.tellsNumbers = tellsNumbers
    }

    /// What the printer says it can do.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        let names = PrinterCapabilities.attributeNames + ["printer-get-attributes-supported"]
        let attributes = try await printerAttributes(names)
        var capabilities = PrinterCapabilities(attributes: attributes)
        // Many printers make copies of a PDF, but not of pixels.
        if let format = capabilities.deliveredFormat, format != .pdf,
            attributes.keywords("printer-get-attributes-supported").contains("document-format")
        {
            capabilities.takeCopies(
                from: try await printerAttributes(PrinterCapabilities.copiesAttributeNames, format: format))
        }
        return capabilities
    }

    /// How the printer says it is.
    public func status() async throws(BackendError) -> PrinterStatus {
        PrinterStatus(attributes: try await printerAttributes(PrinterStatus.attributeNames))
    }

    /// Makes the job at the printer with Create-Job, in its owner's name.
    ///
    /// Whoever made a job is the one who may send its document and cancel it (RFC 8011 §4.3.1, §4.3.3).
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        var message = self.request(.createJob, user: request.owner)
        message[.operation]?.append("job-name", .name(request.name))
        if tellsNumbers { message[.operation]?.append("printq-job-id", .integer(Int32(clamping: request.jobID))) }
        if !request.forwardedBy.isEmpty {
            message[.operation]?.append(Attribute("printq-forwarded-by", request.forwardedBy.map { .name($0) }))
        }
        message.groups.append(AttributeGroup(.job, dialect.attributes(request)))
        let answer = try await send(message)
        guard let group = answer[.job], let id = group.integer("job-id"), id > 0 else {
            throw BackendError(.badAnswer, "\(printerURI) made a job without a number; look at the printer")
        }
        var job = RemoteJob(id: Int(id), uuid: group.string("job-uuid"), owner: request.owner)
        guard job.uuid == nil else { return job }
        // Create-Job need not answer with job-uuid (RFC 8011 §4.2.4): ask for it.
        do throws(BackendError) {
            job.uuid = try await jobAttributes(job, ["job-uuid"])?.string("job-uuid")
            return job
        } catch {
            // Nobody will know of the empty job: it must not hold the printer up until it times out.
            try? await cancelJob(job)
            throw error
        }
    }

    /// Sends the document with Send-Document; it is the job's only one.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await sendDocument(path, format: format, isLast: true, to: job)
    }

    /// Sends the documents with a Send-Document for each.
    public func sendDocuments(
        _ paths: [String], format: DocumentFormat, to job: RemoteJob
    ) async throws(BackendError) {
        for (index, path) in paths.enumerated() {
            do throws(BackendError) {
                try await sendDocument(path, format: format, isLast: index == paths.count - 1, to: job)
            } catch {
                // A printer may begin with the first document before it has the last.
                var error = error
                if index > 0 { error.mayHaveBeenReceived = true }
                throw error
            }
        }
    }

    private func sendDocument(
        _ path: String, format: DocumentFormat, isLast: Bool, to job: RemoteJob
    ) async throws(BackendError) {
        var message = jobRequest(.sendDocument, job)
        message[.operation]?.append("last-document", .boolean(isLast))
        message[.operation]?.append("document-format", .mimeMediaType(format.rawValue))
        let answer = try await exchange(message, document: .file(path: path))
        do throws(BackendError) {
            try check(answer)
        } catch {
            var error = error
            error.mayHaveBeenReceived = Self.mayHavePrinted.contains(answer.status)
            throw error
        }
    }

    /// What a printer answers to a document that may have come to its paper all the same (RFC 8011 §4.2.1.2, B.1.5):
    /// the job's state tells.
    private static let mayHavePrinted: Set<Status> = [
        .serverErrorInternalError, .serverErrorDeviceError, .serverErrorTemporaryError, .serverErrorJobCanceled,
    ]

    /// Looks the job up by its number; nil when the printer has none of that number and `job-uuid`.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        let status = try await seenStatus(of: job)
        news.looked(at: status, of: job)
        return status
    }

    private func seenStatus(of job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        guard let group = try await jobAttributes(job, dialect.jobAttributeNames) else { return nil }
        if let uuid = job.uuid, group.string("job-uuid") != uuid { return nil }
        guard let status = dialect.status(group) else {
            throw BackendError(.badAnswer, "\(printerURI) does not say how job \(job.id) is doing")
        }
        return status
    }

    /// Cancels the job with Cancel-Job; one that has ended already is left as it is.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        let answer = try await exchange(jobRequest(.cancelJob, job), document: nil)
        switch answer.status {
        case .clientErrorNotPossible, .clientErrorNotFound, .clientErrorGone: return
        default: try check(answer)
        }
    }

    /// Has the printer make itself noticed with Identify-Printer (PWG 5100.13 §4.4.1).
    public func identify(actions: [String], message words: String?) async throws(BackendError) {
        var message = request(.identifyPrinter)
        if !actions.isEmpty {
            message[.operation]?.append(Attribute("identify-actions", actions.map { .keyword($0) }))
        }
        if let words { message[.operation]?.append("message", .text(words)) }
        _ = try await send(message)
    }

    // MARK: - Messages

    func printerAttributes(
        _ names: [String], format: DocumentFormat? = nil
    ) async throws(BackendError) -> AttributeGroup {
        var message = request(.getPrinterAttributes)
        if let format { message[.operation]?.append("document-format", .mimeMediaType(format.rawValue)) }
        message[.operation]?.append(Attribute("requested-attributes", names.map { .keyword($0) }))
        return try await send(message)[.printer] ?? AttributeGroup(.printer)
    }

    private func jobAttributes(_ job: RemoteJob, _ names: [String]) async throws(BackendError) -> AttributeGroup? {
        var message = jobRequest(.getJobAttributes, job)
        message[.operation]?.append(Attribute("requested-attributes", names.map { .keyword($0) }))
        let answer = try await exchange(message, document: nil)
        if answer.status == .clientErrorNotFound || answer.status == .clientErrorGone { return nil }
        try check(answer)
        return answer[.job]
    }

    private func jobRequest(_ operation: Operation, _ job: RemoteJob) -> Message {
        var message = request(operation, user: job.owner ?? "printq")
        message[.operation]?.append("job-id", .integer(Int32(clamping: job.id)))
        return message
    }

    func request(_ operation: Operation, user: String = "printq") -> Message {
        Message(
            version: .v1_1, operation: operation, requestID: 1,
            groups: [
                .operation([
                    Attribute("printer-uri", .uri(printerURI)), Attribute("requesting-user-name", .name(user)),
                ])
            ])
    }

    // MARK: - Exchange

    func send(_ message: Message, document: DocumentSource? = nil) async throws(BackendError) -> Message {
        let answer = try await exchange(message, document: document)
        try check(answer)
        return answer
    }

    func exchange(_ message: Message, document: DocumentSource?) async throws(BackendError) -> Message {
        do throws(IPPClientError) {
            // job-id must follow printer-uri, which the operation group's order gives (RFC 8011 §4.1.5).
            return try await transport.send(message, document: document, path: path)
        } catch {
            throw BackendError(clientError: error, printer: printerURI)
        }
    }

    private func check(_ answer: Message) throws(BackendError) {
        guard !answer.status.isSuccess else { return }
        throw BackendError(
            status: answer.status, words: answer[.operation]?.string("status-message"), printer: printerURI)
    }

    /// The path to post to: that of the printer's URI, which real printers look at.
    private var path: String {
        guard let scheme = printerURI.firstRange(of: "://"),
            let slash = printerURI[scheme.upperBound...].firstIndex(of: "/")
        else { return "/" }
        return String(printerURI[slash...])
    }
}
