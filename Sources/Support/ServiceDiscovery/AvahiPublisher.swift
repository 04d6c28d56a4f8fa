// Publishes printers through the Avahi daemon.
//
// PublicationTable determines the steps. AvahiPublisher executes the steps with libavahi-client and reports the
// results.

import CAvahi
import Dispatch
public import PrintModel

/// A publisher that uses the local Avahi daemon to publish printers with DNS-SD.
///
///     let publisher = try AvahiPublisher(reach: reach) { print($0) }
///     publisher.publish(laser, as: "laser")
///     await publisher.run()        // until the task is canceled; then all printers are withdrawn
///
/// If no daemon is running, the publisher reports `unavailable` and waits. Whenever a daemon starts, the publisher
/// publishes all printers. If a name is already in use, the publisher appends a number to the name. A dedicated thread
/// waits for the daemon's replies.
public final class AvahiPublisher: @unchecked Sendable {
    /// A change that the publisher reports: the new state of a printer, or an unavailable daemon.
    public enum News: Hashable, Sendable {
        /// A printer that was published under a name.
        ///
        /// The name differs from the requested name if the requested name was in use.
        case published(key: String, name: String, isRenamed: Bool)
        /// A printer that is no longer published.
        case withdrawn(key: String)
        /// A printer that the daemon rejected.
        case refused(key: String, reason: String)
        /// An unavailable daemon.
        ///
        /// All printers are published when a daemon starts.
        case unavailable(reason: String)
    }

    // Unchecked, because mutable state is accessed only while the lock of `poll` is held, by `locked` or by a
    // callback of libavahi.
    private let reach: AdvertisedInterfaces
    private let onNews: @Sendable (News) -> Void
    private let queue = DispatchQueue(label: "avahi")
    private let poll: OpaquePointer
    private let losses = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private var publications = PublicationTable()
    private var client: OpaquePointer?
    private var groups: [String: OpaquePointer] = [:]

    /// Creates a publisher without printers.
    ///
    /// - Parameters:
    ///   - reach: The interfaces on which the printers are published.
    ///   - onNews: The function that receives changes. The function is called on a thread of the publisher and must not
    ///     block.
    /// - Throws: `BackendError` with `unreachable` when the system has no memory for a thread of libavahi.
    public init(
        reach: AdvertisedInterfaces, onNews: @escaping @Sendable (News) -> Void = { _ in }
    ) throws(BackendError) {
        guard let poll = avahi_threaded_poll_new() else {
            throw BackendError(.unreachable, "cannot create a thread of libavahi: not enough memory")
        }
        self.reach = reach
        self.onNews = onNews
        self.poll = poll
    }

    deinit { avahi_threaded_poll_free(poll) }

    /// Publishes a printer as soon as a daemon is available, and replaces an earlier printer with the same key.
    public func publish(_ advertisement: PrinterAdvertisement, as key: String) {
        queue.async { self.locked { self.carryOut(self.publications.want(advertisement, as: key)) } }
    }

    /// Stops the publication of a printer.
    public func withdraw(_ key: String) {
        queue.async { self.locked { self.carryOut(self.publications.drop(key)) } }
    }

    /// Keeps a connection to the daemon until the task is canceled, and then withdraws all printers.
    ///
    /// If the connection is lost, this method connects again after 2 seconds.
    ///
    /// Call this method only once.
    public func run() async {
        avahi_threaded_poll_start(poll)
        var lost = losses.stream.makeAsyncIterator()
        repeat {
            await onQueue { self.locked { self.connect() } }
            let isLost = await lost.next() != nil
            await onQueue { self.locked { self.disconnect() } }
            if !isLost { break }
        } while (try? await Task.sleep(for: .seconds(2))) != nil
        await onQueue { avahi_threaded_poll_stop(self.poll) }
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    private func locked(_ body: () -> Void) {
        avahi_threaded_poll_lock(poll)
        body()
        avahi_threaded_poll_unlock(poll)
    }

    // MARK: - The daemon

    private func connect() {
        var error: Int32 = 0
        let new = avahi_client_new(
            avahi_threaded_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
            { client, state, publisher in
                guard let client, let publisher else { return }
                Unmanaged<AvahiPublisher>.fromOpaque(publisher).takeUnretainedValue().note(state, of: client)
            }, Unmanaged.passUnretained(self).toOpaque(), &error)
        client = new
        guard new == nil else { return }
        carryOut(publications.disconnected(Self.message(error)))
        losses.continuation.yield()
    }

    private func disconnect() {
        freeGroups()
        if let client { avahi_client_free(client) }
        client = nil
    }

    private func note(_ state: AvahiClientState, of client: OpaquePointer) {
        // The first call happens before `avahi_client_new` returns.
        self.client = client
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            let name = avahi_client_get_host_name_fqdn(client).map { String(cString: $0) } ?? "localhost"
            carryOut(publications.connected(host: reach.isThisMachine ? AdvertisedInterfaces.localHost : name))
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
            // The daemon is choosing a host name, and enters the running state again after that.
            freeGroups()
            carryOut(publications.disconnected("the Avahi daemon is choosing a host name for this machine"))
        case AVAHI_CLIENT_CONNECTING:
            freeGroups()
            carryOut(publications.disconnected("no Avahi daemon is running"))
        default:
            freeGroups()
            carryOut(publications.disconnected(Self.message(avahi_client_errno(client))))
            losses.continuation.yield()
        }
    }

    private func freeGroups() {
        for group in groups.values { avahi_entry_group_free(group) }
        groups = [:]
    }

    private static func message(_ error: Int32) -> String {
        switch error {
        case Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_DISCONNECTED): "no Avahi daemon is running"
        case Int32(AVAHI_ERR_DBUS_ERROR): "the Avahi daemon cannot be reached because there is no D-Bus system bus"
        default: "Avahi reports: \(String(cString: avahi_strerror(error)))"
        }
    }

    // MARK: - Steps

    private func carryOut(_ steps: [PublicationTable.Step]) {
        for step in steps {
            switch step {
            case .register(let key, let name, let services): register(key, name, services)
            case .update(let key, let name, let services): update(key, name, services)
            case .remove(let key):
                if let group = groups.removeValue(forKey: key) { avahi_entry_group_free(group) }
            case .tell(let news): onNews(news)
            }
        }
    }

    private func register(_ key: String, _ name: String, _ services: [NetworkService]) {
        guard let group = group(for: key) else { return }
        avahi_entry_group_reset(group)
        let code = add(services, named: name, to: group)
        switch code < 0 ? code : avahi_entry_group_commit(group) {
        case 0...: break
        case Int32(AVAHI_ERR_COLLISION): carryOut(publications.collided(key))
        // The client receives these errors through its callback.
        case Int32(AVAHI_ERR_DISCONNECTED), Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_BAD_STATE): break
        case let code: carryOut(publications.refused(key, String(cString: avahi_strerror(code))))
        }
    }

    private func group(for key: String) -> OpaquePointer? {
        if let group = groups[key] { return group }
        guard let client else { return nil }
        let group = avahi_entry_group_new(
            client,
            { group, state, publisher in
                guard let group, let publisher else { return }
                Unmanaged<AvahiPublisher>.fromOpaque(publisher).takeUnretainedValue().note(state, of: group)
            }, Unmanaged.passUnretained(self).toOpaque())
        groups[key] = group
        return group
    }

    private func note(_ state: AvahiEntryGroupState, of group: OpaquePointer) {
        guard let key = groups.first(where: { $0.value == group })?.key else { return }
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: carryOut(publications.established(key))
        case AVAHI_ENTRY_GROUP_COLLISION: carryOut(publications.collided(key))
        case AVAHI_ENTRY_GROUP_FAILURE:
            let code = client.map { avahi_client_errno($0) } ?? Int32(AVAHI_ERR_FAILURE)
            carryOut(publications.refused(key, String(cString: avahi_strerror(code))))
        default: break
        }
    }

    /// Adds services to a group; returns a negative error code on failure.
    private func add(_ services: [NetworkService], named name: String, to group: OpaquePointer) -> Int32 {
        let host = reach.isThisMachine ? AdvertisedInterfaces.localHost : nil
        if let host {
            var address = AvahiAddress()
            avahi_address_parse(reach.address, AvahiProtocol(AVAHI_PROTO_UNSPEC), &address)
            let code = avahi_entry_group_add_address(
                group, reach.avahiInterface, reach.avahiProtocol, AVAHI_PUBLISH_NO_REVERSE, host, &address)
            guard code >= 0 else { return code }
        }
        for service in services {
            let strings = Self.stringList(service.record)
            defer { avahi_string_list_free(strings) }
            let code = avahi_entry_group_add_service_strlst(
                group, reach.avahiInterface, reach.avahiProtocol, AvahiPublishFlags(0), name, service.type, nil, host,
                UInt16(clamping: service.port), strings)
            guard code >= 0 else { return code }
            for subtype in service.subtypes {
                let code = avahi_entry_group_add_service_subtype(
                    group, reach.avahiInterface, reach.avahiProtocol, AvahiPublishFlags(0), name, service.type, nil,
                    "\(subtype)._sub.\(service.type)")
                guard code >= 0 else { return code }
            }
        }
        return 0
    }

    private func update(_ key: String, _ name: String, _ services: [NetworkService]) {
        guard let group = groups[key] else { return }
        for service in services {
            let strings = Self.stringList(service.record)
            defer { avahi_string_list_free(strings) }
            avahi_entry_group_update_service_txt_strlst(
                group, reach.avahiInterface, reach.avahiProtocol, AvahiPublishFlags(0), name, service.type, nil, strings
            )
        }
    }

    /// Converts a TXT record to a string list of libavahi.
    ///
    /// libavahi adds each string at the front of the list. Therefore the function adds the strings in reverse order.
    private static func stringList(_ record: TXTRecord) -> UnsafeMutablePointer<AvahiStringList>? {
        record.strings.reversed().reduce(nil) { avahi_string_list_add_arbitrary($0, $1, $1.count) }
    }
}
