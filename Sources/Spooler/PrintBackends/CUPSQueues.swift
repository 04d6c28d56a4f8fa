// The queues of a cupsd, to choose printers from.

import IPP
public import IPPClient
import PrintIPP
public import PrintModel
import AsyncPrimitives

/// The queues and classes of a cupsd, with the instances that `lpoptions` knows (CUPS-Get-Printers, CUPS-Get-Classes).
public struct CUPSQueues: DeviceSource {
    private let server: CUPSServer
    private let transport: any IPPTransport
    private let isLocal: Bool
    private let isOurs: @Sendable (_ deviceURI: String) -> Bool

    /// The queues of a cupsd.
    ///
    /// - Parameters:
    ///   - isLocal: whether it is the one that URIs without a host mean; its instances are listed too.
    ///   - isOurs: whether a device URI is an address of this spooler; queues that lead back to us are left out.
    public init(
        server: CUPSServer, transport: any IPPTransport, isLocal: Bool = true,
        isOurs: @escaping @Sendable (_ deviceURI: String) -> Bool = { _ in false }
    ) {
        (self.server, self.transport, self.isLocal, self.isOurs) = (server, transport, isLocal, isOurs)
    }

    /// The queues as devices.
    ///
    /// - Throws: `BackendError` when the cupsd does not answer, or not in time.
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
                .unreachable, "CUPS at \(server.address) does not answer in \(time.components.seconds) seconds")
        }
        return try answer.get()
    }

    /// A queue or class, or an instance of one.
    public struct Queue: Hashable, Sendable {
        /// What to add it with.
        public var device: DeviceURI.CUPSQueue
        /// What people call it.
        public var info: String
        /// Where it stands; empty when nobody has said.
        public var location: String
        /// Its make and model.
        public var makeAndModel: String
        /// Whether it is a class of several queues.
        public var isClass: Bool
        /// Whether it is the cupsd's default (CUPS-Get-Default).
        public var isDefault: Bool
    }

    /// The queues, each followed by its instances; the cupsd's default is first.
    ///
    /// - Throws: `BackendError` when the cupsd does not answer.
    public func queues() async throws(BackendError) -> [Queue] {
        // Since CUPS 1.2 CUPS-Get-Printers names classes too; older ones and others' servers may not.
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
        return found.filter(\.isDefault) + found.filter { !$0.isDefault }
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
        // No queue, no class, no default: not found.
        guard answer.status.isSuccess || answer.status == .clientErrorNotFound else {
            throw BackendError(
                status: answer.status, words: answer[.operation]?.string("status-message"),
                printer: "CUPS at \(server.address)")
        }
        return answer
    }
}
