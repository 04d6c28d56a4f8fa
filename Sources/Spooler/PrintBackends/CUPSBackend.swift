// Delivers jobs to a queue of a CUPS server.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel

/// A backend for a queue or a class of a CUPS server (cupsd).
///
/// A CUPS queue is an IPP printer, but CUPS reports the status of a job differently; see
/// `RemoteJobStatus(cups:queue:)`.
///
/// If a job does not set an option, the backend uses the value that `lpoptions` has saved for the queue or for an
/// instance of the queue. The document is a PDF with the final layout. Therefore the backend turns off all layout
/// options of the queue.
public struct CUPSBackend: PrinterBackend {
    private let printer: IPPBackend
    private let server: CUPSServer
    private let transport: any IPPTransport
    private let queue: String
    private let saved: @Sendable () -> SavedOptions
    private let isOurs: @Sendable (_ deviceURI: String) -> Bool

    /// Creates a backend for a queue of a CUPS server.
    ///
    /// - Parameters:
    ///   - transport: The transport to the CUPS server.
    ///   - queue: The names of the queue and of the instance whose saved options apply.
    ///   - isLocal: Whether the server runs on this machine. Saved options are read only for a local server.
    ///   - isOurs: A closure that returns whether a device URI is an address of this spooler. The backend refuses a
    ///     queue that prints to this spooler.
    public init(
        server: CUPSServer, transport: any IPPTransport, queue: DeviceURI.CUPSQueue, isLocal: Bool = true,
        isOurs: @escaping @Sendable (_ deviceURI: String) -> Bool = { _ in false }
    ) {
        let name = queue.name
        // Read the options for each job: a change with `lpoptions` must apply to the next job.
        let saved: @Sendable () -> SavedOptions = {
            isLocal ? SavedOptions(of: name, instance: queue.instance) : SavedOptions()
        }
        (self.server, self.transport, self.queue, self.saved, self.isOurs) = (server, transport, name, saved, isOurs)
        printer = IPPBackend(
            transport: transport, printerURI: server.uri(ofQueue: name),
            dialect: .init(
                jobAttributeNames: RemoteJobStatus.cupsAttributeNames,
                status: { RemoteJobStatus(cups: $0, queue: name) },
                attributes: { request in
                    let own = saved().attributes
                    let names = Set(own.map(\.name))
                    return (request.options.attributes + Self.asItIs).filter { !names.contains($0.name) } + own
                }))
    }

    /// The attributes that override the queue's layout defaults (`lpadmin -o NAME-default=…`), because the document has
    /// its final layout.
    private static let asItIs = [
        Attribute("number-up", .integer(1)), Attribute("orientation-requested", .enumeration(3)),
        Attribute("page-delivery", .keyword("same-order")), Attribute("page-border", .keyword("none")),
        Attribute("mirror", .boolean(false)), Attribute("page-set", .keyword("all")),
    ]

    /// Returns the capabilities of the queue.
    ///
    /// For a class, returns the capabilities of the first member.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        var attributes = try await printer.printerAttributes(PrinterCapabilities.attributeNames + Self.kindNames)
        try refuseDeadEnd(attributes)
        for (number, member) in attributes.strings("member-names").enumerated() {
            let queue = IPPBackend(transport: transport, printerURI: server.uri(ofQueue: member))
            let seen = try await queue.printerAttributes(PrinterCapabilities.attributeNames + Self.kindNames)
            try refuseDeadEnd(seen, member: member)
            if number == 0 { attributes = seen }
        }
        var capabilities = PrinterCapabilities(attributes: attributes)
        if attributes["media-supported"] == nil { capabilities.describeRaw() }
        let presets = saved().ticket
        if let duplex = presets.duplex { capabilities.defaultDuplex = duplex }
        if let media = presets.media { capabilities.defaultMedia = media }
        capabilities.presets = presets == JobTicket() ? nil : presets
        return capabilities
    }

    /// Returns the status of the queue.
    public func status() async throws(BackendError) -> PrinterStatus {
        var status = PrinterStatus(attributes: try await printer.printerAttributes(PrinterStatus.attributeNames))
        if status.state == .stopped {
            let why = ["", "Paused"].contains(status.message) ? "" : ": \(status.message)"
            status.message = "The CUPS queue \(queue) is stopped\(why); start the queue with 'cupsenable \(queue)'"
        }
        return status
    }

    /// Creates the job at the queue, with the job's owner as the requesting user.
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        try refuseDeadEnd(try await printer.printerAttributes(Self.kindNames))
        return try await printer.createJob(request)
    }

    /// Sends the document of the job.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await printer.sendDocument(path, format: format, to: job)
    }

    /// Sends Identify-Printer to the queue.
    ///
    /// CUPS 2.4 refuses this operation.
    public func identify(actions: [String], message: String?) async throws(BackendError) {
        try await printer.identify(actions: actions, message: message)
    }

    /// Returns the status of the job.
    ///
    /// If the queue is stopped, a pending job has the state `processing-stopped`.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        guard var seen = try await printer.jobStatus(job) else { return nil }
        guard seen.state == .pending else { return seen }
        if seen.impressionsCompleted == nil, try await !isListed(job) { return nil }
        let queue = try await status()
        if queue.state == .stopped { (seen.state, seen.message) = (.processingStopped, queue.message) }
        return seen
    }

    /// Returns whether the queue's list of unfinished jobs contains the job.
    ///
    /// If cupsd stops while a job prints, CUPS 2.4 can report the job as pending even after the job has ended.
    private func isListed(_ job: RemoteJob) async throws(BackendError) -> Bool {
        var message = printer.request(.getJobs, user: job.owner ?? "printq")
        message[.operation]?.append("which-jobs", .keyword("not-completed"))
        message[.operation]?.append("requested-attributes", .keyword("job-id"))
        return try await printer.send(message).groups(.job).contains { $0.integer("job-id").map(Int.init) == job.id }
    }

    /// Cancels the job at the queue.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) { try await printer.cancelJob(job) }

    /// Waits for an event notification of the job from the CUPS server.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        try await printer.waitForNews(of: job, orAfter: pause, by: clock)
    }

    // MARK: - Queues that print nothing

    private static let kindNames = ["member-names", "device-uri", "printer-make-and-model"]

    /// Checks that the queue neither prints to this spooler nor discards all jobs.
    ///
    /// - Parameter member: The name of the member queue, if the attributes belong to a member of a class.
    private func refuseDeadEnd(_ attributes: AttributeGroup, member: String? = nil) throws(BackendError) {
        let queue = member ?? self.queue
        guard let device = attributes.string("device-uri") else { return }
        if isOurs(device) {
            throw BackendError(
                .refused,
                "the CUPS queue \(queue) sends its jobs back to this spooler (\(device)); set another URI with "
                    + "'printq printers change --uri'")
        }
        // CUPS 2.4 writes nothing to the file, but reports the job as completed.
        let isRaw = attributes.string("printer-make-and-model") == "Local Raw Printer"
        if isRaw, device.hasPrefix("file:"), !device.hasSuffix("/dev/null") {
            throw BackendError(
                .refused,
                "CUPS does not write the jobs of the raw queue \(queue) to \(device); set a driver with "
                    + "'lpadmin -p \(queue) -P FILE.ppd'")
        }
    }
}

extension PrinterCapabilities {
    /// Sets the capabilities of a raw queue: common papers, one-sided printing, and one copy for each job.
    ///
    /// CUPS has no information about the printer of a raw queue. `printd` sends the pages of all copies.
    fileprivate mutating func describeRaw() {
        papers = Media.standard.map { PrintPaper(media: $0, margins: .all(.millimeters(6.35))) }
        customMedia = MediaRange(width: 5000...50000, height: 5000...100_000, margins: .all(.millimeters(6.35)))
        colorModes = [.auto, .color, .monochrome]
        (maxCopies, collates) = (1, false)
    }
}
