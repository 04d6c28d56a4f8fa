// Determines which services must be published, without access to the daemon or to threads.

/// The printers to publish, with their names and states.
///
/// Each function returns the steps that the publisher must execute after the change.
package struct PublicationTable {
    /// A step that the publisher must execute.
    package enum Step: Equatable {
        /// The registration of all services of an instance.
        ///
        /// The registration replaces the previous services of the instance.
        case register(key: String, name: String, services: [NetworkService])
        /// An update of the TXT records of an instance.
        case update(key: String, name: String, services: [NetworkService])
        /// The removal of an instance.
        case remove(key: String)
        /// A change that the publisher must report through its `onNews` function.
        case tell(AvahiPublisher.News)
    }

    private struct Entry {
        var advertisement: PrinterAdvertisement
        /// The name that is registered or is being registered.
        var name: String
        var services: [NetworkService] = []
        var isEstablished = false
    }

    private var entries: [String: Entry] = [:]
    /// The host name of this machine in URIs; nil while no daemon is available.
    private var host: String?
    private var isReported = false

    /// Creates an empty table without a connection to a daemon.
    package init() {}

    /// Adds a printer, or changes its advertisement.
    package mutating func want(_ advertisement: PrinterAdvertisement, as key: String) -> [Step] {
        let before = entries[key]
        guard before?.advertisement != advertisement else { return [] }
        let isSameName = before?.advertisement.name == advertisement.name
        let name = isSameName ? before?.name : nil
        var entry = Entry(advertisement: advertisement, name: name ?? ServiceName.fitting(advertisement.name))
        if isSameName, let before, let host {
            entry.services = advertisement.services(host: host)
            if before.services.map(\.shape) == entry.services.map(\.shape) {
                entry.isEstablished = before.isEstablished
                entries[key] = entry
                return [.update(key: key, name: entry.name, services: entry.services)]
            }
        }
        entries[key] = entry
        return register(key)
    }

    /// Removes a printer.
    package mutating func drop(_ key: String) -> [Step] {
        guard let entry = entries.removeValue(forKey: key), host != nil else { return [] }
        return [.remove(key: key)] + (entry.isEstablished ? [.tell(.withdrawn(key: key))] : [])
    }

    /// Handles a connection to a daemon with the given host name.
    package mutating func connected(host: String) -> [Step] {
        self.host = host
        isReported = false
        return entries.keys.sorted().flatMap { register($0) }
    }

    /// Handles the loss of the connection to the daemon.
    ///
    /// The daemon has discarded all services.
    package mutating func disconnected(_ reason: String) -> [Step] {
        host = nil
        let lost = entries.keys.sorted().filter { entries[$0]?.isEstablished ?? false }
        for key in lost { entries[key]?.isEstablished = false }
        let news = isReported ? [] : [Step.tell(.unavailable(reason: reason))]
        isReported = true
        return lost.map { .tell(.withdrawn(key: $0)) } + news
    }

    /// Handles a name conflict by registering the printer under an alternative name.
    package mutating func collided(_ key: String) -> [Step] {
        guard let entry = entries[key] else { return [] }
        entries[key]?.name = ServiceName.alternative(to: entry.name)
        return (entry.isEstablished ? [.tell(.withdrawn(key: key))] : []) + register(key)
    }

    /// Handles the successful registration of a name.
    package mutating func established(_ key: String) -> [Step] {
        guard let entry = entries[key], !entry.isEstablished else { return [] }
        entries[key]?.isEstablished = true
        let isRenamed = entry.name != ServiceName.fitting(entry.advertisement.name)
        return [.tell(.published(key: key, name: entry.name, isRenamed: isRenamed))]
    }

    /// Handles the rejection of a printer by the daemon.
    package mutating func refused(_ key: String, _ reason: String) -> [Step] {
        [.tell(.refused(key: key, reason: reason))]
    }

    private mutating func register(_ key: String) -> [Step] {
        guard let host, var entry = entries[key] else { return [] }
        entry.services = entry.advertisement.services(host: host)
        entry.isEstablished = false
        entries[key] = entry
        return [.register(key: key, name: entry.name, services: entry.services)]
    }
}

extension NetworkService {
    /// The properties of a service that cannot change while the service is published.
    fileprivate var shape: NetworkService { NetworkService(type: type, subtypes: subtypes, port: port) }
}
