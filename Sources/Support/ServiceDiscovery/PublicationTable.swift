// What is published under which name, and what must be done about it. No daemon, no thread.

/// What shall be published, under which names, and how far that is.
package struct PublicationTable {
    /// What must be done next.
    package enum Step: Equatable {
        /// The daemon is to have these services of an instance, and none that it had of it before.
        case register(key: String, name: String, services: [NetworkService])
        /// The services of an instance say something else of themselves.
        case update(key: String, name: String, services: [NetworkService])
        /// The daemon is to forget an instance.
        case remove(key: String)
        /// Whoever publishes is to be told.
        case tell(AvahiPublisher.News)
    }

    private struct Entry {
        var advertisement: PrinterAdvertisement
        /// The name that is tried, or held.
        var name: String
        var services: [NetworkService] = []
        var isEstablished = false
    }

    private var entries: [String: Entry] = [:]
    /// The name of this machine in URIs; nil while there is no daemon.
    private var host: String?
    private var isTold = false

    /// Nothing is to be published, and no daemon is known.
    package init() {}

    /// A printer is to be published, or what it says of itself has changed.
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

    /// A printer is not to be found any more.
    package mutating func drop(_ key: String) -> [Step] {
        guard let entry = entries.removeValue(forKey: key), host != nil else { return [] }
        return [.remove(key: key)] + (entry.isEstablished ? [.tell(.withdrawn(key: key))] : [])
    }

    /// The daemon is there; it calls this machine by a name.
    package mutating func connected(host: String) -> [Step] {
        self.host = host
        isTold = false
        return entries.keys.sorted().flatMap { register($0) }
    }

    /// The daemon is not there, and has forgotten everything.
    package mutating func disconnected(_ reason: String) -> [Step] {
        host = nil
        let lost = entries.keys.sorted().filter { entries[$0]?.isEstablished ?? false }
        for key in lost { entries[key]?.isEstablished = false }
        let news = isTold ? [] : [Step.tell(.unavailable(reason: reason))]
        isTold = true
        return lost.map { .tell(.withdrawn(key: $0)) } + news
    }

    /// Somebody else has the name.
    package mutating func collided(_ key: String) -> [Step] {
        guard let entry = entries[key] else { return [] }
        entries[key]?.name = ServiceName.alternative(to: entry.name)
        return (entry.isEstablished ? [.tell(.withdrawn(key: key))] : []) + register(key)
    }

    /// The name is ours, and everybody can know.
    package mutating func established(_ key: String) -> [Step] {
        guard let entry = entries[key], !entry.isEstablished else { return [] }
        entries[key]?.isEstablished = true
        let isRenamed = entry.name != ServiceName.fitting(entry.advertisement.name)
        return [.tell(.published(key: key, name: entry.name, isRenamed: isRenamed))]
    }

    /// The daemon will not do it.
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
    /// What cannot be changed about a service that is published.
    fileprivate var shape: NetworkService { NetworkService(type: type, subtypes: subtypes, port: port) }
}
