// A queue of a cupsd as a printer.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel

/// The way to a queue or a class of a cupsd.
///
/// A queue of CUPS is a printer that speaks IPP, with words of its own (`RemoteJobStatus(cups:queue:)`); what `lpoptions` has
/// saved for it or for the instance meant holds for jobs that do not say otherwise. The PDF that it gets is laid out already:
/// whatever the queue would do to pages by itself is turned off.
public struct CUPSBackend: PrinterBackend {
    private let printer: IPPBackend
    private let server: CUPSServer
    private let transport: any IPPTransport
    private let queue: String
    private let saved: @Sendable () -> SavedOptions
    private let isOurs: @Sendable (_ deviceURI: String) -> Bool

    /// A queue of a cupsd.
    ///
    /// - Parameters:
    ///   - transport: what carries requests to that cupsd.
    ///   - queue: its name, and whose saved options hold.
    ///   - isLocal: whether it is this machine's cupsd, whose users' saved options are in our files.
    ///   - isOurs: whether a device URI is an address of this spooler: a queue that leads back to us is refused.
    public init(
        server: CUPSServer, transport: any IPPTransport, queue: DeviceURI.CUPSQueue, isLocal: Bool = true,
        isOurs: @escaping @Sendable (_ deviceURI: String) -> Bool = { _ in false }
    ) {
        let name = queue.name
        // Read anew each time: whoever calls `lpoptions` expects the next job to heed it.
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

    /// What keeps a queue's own defaults from laying out once more what is laid out (`lpadmin -o NAME-default=…`).
    private static let asItIs = [
        Attribute("number-up", .integer(1)), Attribute("orientation-requested", .enumeration(3)),
        Attribute("page-delivery", .keyword("same-order")), Attribute("page-border", .keyword("none")),
        Attribute("mirror", .boolean(false)), Attribute("page-set", .keyword("all")),
    ]

    /// What the queue can do; of a class, what its first member can.
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

    /// How the queue is.
    public func status() async throws(BackendError) -> PrinterStatus {
        var status = PrinterStatus(attributes: try await printer.printerAttributes(PrinterStatus.attributeNames))
        if status.state == .stopped {
            let why = ["", "Paused"].contains(status.message) ? "" : ": \(status.message)"
            status.message = "The queue \(queue) of CUPS is stopped\(why); start it with 'cupsenable \(queue)'"
        }
        return status
    }

    /// Makes the job in its owner's name.
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        try refuseDeadEnd(try await printer.printerAttributes(Self.kindNames))
        return try await printer.createJob(request)
    }

    /// Sends the document.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await printer.sendDocument(path, format: format, to: job)
    }

    /// Asks the queue; a cupsd of 2.4 has no Identify-Printer, and refuses.
    public func identify(actions: [String], message: String?) async throws(BackendError) {
        try await printer.identify(actions: actions, message: message)
    }

    /// Looks the job up; one that waits for a stopped queue has stopped.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        guard var seen = try await printer.jobStatus(job) else { return nil }
        guard seen.state == .pending else { return seen }
        if seen.impressionsCompleted == nil, try await !isListed(job) { return nil }
        let queue = try await status()
        if queue.state == .stopped { (seen.state, seen.message) = (.processingStopped, queue.message) }
        return seen
    }

    /// Whether the queue has a job among those that have not ended.
    ///
    /// cupsd 2.4 goes on calling a job pending that had begun when cupsd was stopped, and has ended since.
    private func isListed(_ job: RemoteJob) async throws(BackendError) -> Bool {
        var message = printer.request(.getJobs, user: job.owner ?? "printq")
        message[.operation]?.append("which-jobs", .keyword("not-completed"))
        message[.operation]?.append("requested-attributes", .keyword("job-id"))
        return try await printer.send(message).groups(.job).contains { $0.integer("job-id").map(Int.init) == job.id }
    }

    /// Cancels the job.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) { try await printer.cancelJob(job) }

    /// Waits until cupsd tells of something.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        try await printer.waitForNews(of: job, orAfter: pause, by: clock)
    }

    // MARK: - Queues that print nothing

    private static let kindNames = ["member-names", "device-uri", "printer-make-and-model"]

    /// Refuses a queue whose jobs would come back to us, and one that throws them away.
    ///
    /// - Parameter member: the queue's name, when it is one of a class's.
    private func refuseDeadEnd(_ attributes: AttributeGroup, member: String? = nil) throws(BackendError) {
        let queue = member ?? self.queue
        guard let device = attributes.string("device-uri") else { return }
        if isOurs(device) {
            throw BackendError(
                .refused,
                "the queue \(queue) of CUPS prints to this spooler again (\(device)); give the printer another URI with "
                    + "'printq printers change --uri'")
        }
        // cupsd 2.4 writes nothing, and calls the job completed.
        let isRaw = attributes.string("printer-make-and-model") == "Local Raw Printer"
        if isRaw, device.hasPrefix("file:"), !device.hasSuffix("/dev/null") {
            throw BackendError(
                .refused,
                "the raw queue \(queue) of CUPS writes nothing into \(device); give it a driver with 'lpadmin -p \(queue) -P'"
            )
        }
    }
}

extension PrinterCapabilities {
    /// What is offered of a raw queue, which says nothing of its printer: the usual papers, one side, our own copies.
    fileprivate mutating func describeRaw() {
        papers = Media.standard.map { PrintPaper(media: $0, margins: .all(.millimeters(6.35))) }
        customMedia = MediaRange(width: 5000...50000, height: 5000...100_000, margins: .all(.millimeters(6.35)))
        colorModes = [.auto, .color, .monochrome]
        (maxCopies, collates) = (1, false)
    }
}
