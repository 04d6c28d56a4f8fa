// Delivers jobs to an IPP printer, which may be a device or a simulated printer.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel

/// A backend for an IPP printer (RFC 8011).
///
/// Create-Job creates an empty job, and Send-Document sends the document. Between the two requests, the spooler can
/// store the job's ID. Later the backend looks up the job by ID and `job-uuid`.
public struct IPPBackend: PrinterBackend {
    private let transport: any IPPTransport
    private let printerURI: String
    let news = PrinterNotifications()
    private let dialect: Dialect
    /// Whether requests contain the job's number in the queue (`printq-job-id`).
    private let tellsNumbers: Bool

    /// The properties in which IPP printers and CUPS queues differ.
    struct Dialect: Sendable {
        /// The job attributes that the backend requests for the status of a job.
        var jobAttributeNames = RemoteJobStatus.attributeNames
        /// The function that converts job attributes to the status of the job.
        ///
        /// The function returns nil if the attributes contain no job state.
        var status: @Sendable (AttributeGroup) -> RemoteJobStatus? = { RemoteJobStatus(attributes: $0) }
        /// The function that returns the job attributes for Create-Job.
        var attributes: @Sendable (DeliveryRequest) -> [Attribute] = { $0.options.attributes }
    }

    /// Creates a backend for the printer at a URI.
    ///
    /// - Parameter tellsNumbers: Whether requests contain the job's number in the queue (`printq-job-id`). The
    ///   simulated printers of the spooler use the number in the name of the job's output folder.
    public init(transport: any IPPTransport, printerURI: String, tellsNumbers: Bool = false) {
        self.init(transport: transport, printerURI: printerURI, dialect: Dialect(), tellsNumbers: tellsNumbers)
    }

    init(transport: any IPPTransport, printerURI: String, dialect: Dialect, tellsNumbers: Bool = false) {
        self.transport = transport
        self.printerURI = printerURI
        self.dialect = dialect
        self.tellsNumbers = tellsNumbers
    }

    /// Returns the capabilities of the printer.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        let names = PrinterCapabilities.attributeNames + ["printer-get-attributes-supported"]
        let attributes = try await printerAttributes(names)
        var capabilities = PrinterCapabilities(attributes: attributes)
        // Many printers support copies for PDF, but not for raster formats.
        if let format = capabilities.deliveredFormat, format != .pdf,
            attributes.keywords("printer-get-attributes-supported").contains("document-format")
        {
            capabilities.takeCopies(
                from: try await printerAttributes(PrinterCapabilities.copiesAttributeNames, format: format))
        }
        return capabilities
    }

    /// Returns the status of the printer.
    public func status() async throws(BackendError) -> PrinterStatus {
        PrinterStatus(attributes: try await printerAttributes(PrinterStatus.attributeNames))
    }

    /// Creates the job with Create-Job.
    ///
    /// The requesting user is the job's owner.
    ///
    /// Only the user who created a job may send the job's document and cancel the job (RFC 8011 §4.3.1, §4.3.3).
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
            throw BackendError(.badAnswer, "\(printerURI) created a job without an ID; check the printer")
        }
        var job = RemoteJob(id: Int(id), uuid: group.string("job-uuid"), owner: request.owner)
        guard job.uuid == nil else { return job }
        // The response of Create-Job need not contain job-uuid (RFC 8011 §4.2.4).
        do throws(BackendError) {
            job.uuid = try await jobAttributes(job, ["job-uuid"])?.string("job-uuid")
            return job
        } catch {
            // The queue has no record of this empty job. Cancel the job; otherwise the job blocks the printer until the
            // job times out.
            try? await cancelJob(job)
            throw error
        }
    }

    /// Sends the job's single document with Send-Document.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await sendDocument(path, format: format, isLast: true, to: job)
    }

    /// Sends each document with a separate Send-Document request.
    public func sendDocuments(
        _ paths: [String], format: DocumentFormat, to job: RemoteJob
    ) async throws(BackendError) {
        for (index, path) in paths.enumerated() {
            do throws(BackendError) {
                try await sendDocument(path, format: format, isLast: index == paths.count - 1, to: job)
            } catch {
                // A printer may print the first document before it has received the last document.
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

    /// The status codes after which the document may have been printed (RFC 8011 §4.2.1.2, B.1.5).
    ///
    /// The job's state shows whether the document was printed.
    private static let mayHavePrinted: Set<Status> = [
        .serverErrorInternalError, .serverErrorDeviceError, .serverErrorTemporaryError, .serverErrorJobCanceled,
    ]

    /// Returns the status of the job; nil if the printer has no job with that ID and `job-uuid`.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        let status = try await seenStatus(of: job)
        news.looked(at: status, of: job)
        return status
    }

    private func seenStatus(of job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        guard let group = try await jobAttributes(job, dialect.jobAttributeNames) else { return nil }
        if let uuid = job.uuid, group.string("job-uuid") != uuid { return nil }
        guard let status = dialect.status(group) else {
            throw BackendError(.badAnswer, "\(printerURI) did not report the state of job \(job.id)")
        }
        return status
    }

    /// Cancels the job with Cancel-Job.
    ///
    /// A job that has already ended does not change.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        let answer = try await exchange(jobRequest(.cancelJob, job), document: nil)
        switch answer.status {
        case .clientErrorNotPossible, .clientErrorNotFound, .clientErrorGone: return
        default: try check(answer)
        }
    }

    /// Makes the printer identify itself with Identify-Printer (PWG 5100.13 §4.4.1).
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
            // The attribute job-id must follow printer-uri (RFC 8011 §4.1.5).
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

    /// The path of HTTP requests, which is the path of the printer's URI.
    ///
    /// Real printers check this path.
    private var path: String {
        guard let scheme = printerURI.firstRange(of: "://"),
            let slash = printerURI[scheme.upperBound...].firstIndex(of: "/")
        else { return "/" }
        return String(printerURI[slash...])
    }
}
