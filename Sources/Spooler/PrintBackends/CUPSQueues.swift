// Lists the queues of a CUPS server as devices.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel
import AsyncPrimitives

/// The queues and classes of a CUPS server (CUPS-Get-Printers, CUPS-Get-Classes), with the instances that `lpoptions`
/// has saved.
public struct CUPSQueues: DeviceSource {
    private let server: CUPSServer
    private let transport: any IPPTransport
    private let isLocal: Bool
    private let isOurs: @Sendable (_ deviceURI: String) -> Bool

    /// Creates a device source for the queues of a CUPS server.
    ///
    /// - Parameters:
    ///   - isLocal: Whether URIs without a host refer to this server. The instances of a local server are listed too.
    ///   - isOurs: A closure that returns whether a device URI is an address of this spooler. Queues that print to this
    ///     spooler are omitted.
    public init(
        server: CUPSServer, transport: any IPPTransport, isLocal: Bool = true,
        isOurs: @escaping @Sendable (_ deviceURI: String) -> Bool = { _ in false }
    ) {
        (self.server, self.transport, self.isLocal, self.isOurs) = (server, transport, isLocal, isOurs)
    }

    /// Returns the queues as devices.
    ///
    /// - Throws: `BackendError` if the server does not respond before the timeout `time`.
    public func devices(within time: Duration) async throws(BackendError) -> [FoundDevice] {
        try await queues(within: time).map { queue in
            FoundDevice(
                uri: DeviceURI.cups(queue.device).description,
                info: queue.info + (queue.device.instance.map { " (\($0))" } ?? ""),
                makeAndModel: queue.makeAndModel, location: queue.location)
        }
    }

    private func queues(within time: Duration) async throws(BackendError) -> [Queue] {
        let answer = await outcome(within: time) { () async -> Result<[Queue], BackendError> in
            do throws(BackendError) { return .success(try await queues()) } catch { return .failure(error) }
        }
        guard let answer else {
            throw BackendError(
                .unreachable, "CUPS at \(server.address) did not respond within \(time.components.seconds) seconds")
        }
        return try answer.get()
    }

    /// A queue or a class of the server, or an instance of a queue or class.
    public struct Queue: Hashable, Sendable {
        /// The device URI for adding the queue as a printer.
        public var device: DeviceURI.CUPSQueue
        /// The description (`printer-info`), or the name of the queue if there is no description.
        public var info: String
        /// The location; empty if the queue has no location.
        public var location: String
        /// The make and model of the printer.
        public var makeAndModel: String
        /// Whether the queue is a class of several queues.
        public var isClass: Bool
        /// Whether the queue is the server's default queue (CUPS-Get-Default).
        public var isDefault: Bool
    }

    /// Returns the queues and their instances, with the server's default queue and its instances first.
    ///
    /// - Throws: `BackendError` if the server does not respond.
    public func queues() async throws(BackendError) -> [Queue] {
        // Since CUPS 1.2, CUPS-Get-Printers returns classes too. Older versions and other servers may omit the classes.
        let groups = try await printers(.cupsGetPrinters) + printers(.cupsGetClasses)
        let byDefault = try await send(.cupsGetDefault)[.printer]?.string("printer-name")
        let instances = isLocal ? SavedOptions.instances() : []
        var seen: Set<String> = []
        let found = groups.flatMap { group -> [Queue] in
            guard let name = group.string("printer-name"), !name.isEmpty, seen.insert(name).inserted,
                !isOurs(group.string("device-uri") ?? "")
            else { return [] }
            let names = [nil] + instances.filter { $0.queue.lowercased() == name.lowercased() }.map(\.instance)
            return names.map { queue(name, instance: $0, group, isDefault: name == byDefault) }
        }
        return Self.ordered(found, defaultName: byDefault)
    }

    /// Moves the default queue and its instances to the front; the order is otherwise unchanged.
    static func ordered(_ queues: [Queue], defaultName: String?) -> [Queue] {
        queues.filter { $0.device.name == defaultName } + queues.filter { $0.device.name != defaultName }
    }

    private func queue(_ name: String, instance: String?, _ group: AttributeGroup, isDefault: Bool) -> Queue {
        var device = DeviceURI.CUPSQueue(name: name, instance: instance)
        if !isLocal, case .tcp(let host, let port) = server.address { (device.host, device.port) = (host, port) }
        let info = group.string("printer-info") ?? ""
        return Queue(
            device: device, info: (info.isEmpty ? name : info).prefixOfUTF8(127),
            location: (group.string("printer-location") ?? "").prefixOfUTF8(127),
            makeAndModel: (group.string("printer-make-and-model") ?? "").prefixOfUTF8(127),
            isClass: group.cupsPrinterType.contains(.isClass), isDefault: isDefault && instance == nil)
    }

    private func printers(_ operation: Operation) async throws(BackendError) -> [AttributeGroup] {
        let names = [
            "printer-name", "printer-info", "printer-location", "printer-make-and-model", "printer-type", "device-uri",
        ]
        return try await send(operation, [Attribute("requested-attributes", names.map { .keyword($0) })])
            .groups(.printer)
    }

    private func send(_ operation: Operation, _ attributes: [Attribute] = []) async throws(BackendError) -> Message {
        let message = Message(
            version: .v1_1, operation: operation, requestID: 1, groups: [.operation(attributes)])
        let answer: Message
        do throws(IPPClientError) {
            answer = try await transport.send(message, document: nil, path: "/")
        } catch {
            throw BackendError(clientError: error, printer: "CUPS at \(server.address)")
        }
        // A server without queues, classes or a default queue responds with not-found.
        guard answer.status.isSuccess || answer.status == .clientErrorNotFound else {
            throw BackendError(
                status: answer.status, words: answer[.operation]?.string("status-message"),
                printer: "CUPS at \(server.address)")
        }
        return answer
    }
}
