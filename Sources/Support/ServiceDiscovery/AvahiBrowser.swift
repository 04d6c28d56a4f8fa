// Finds printers through the Avahi daemon.

import AsyncPrimitives
import CAvahi
import Glibc
public import PrintModel

/// A browser that uses the local Avahi daemon to discover the printers that are published with DNS-SD.
///
///     let devices = try await AvahiBrowser().devices(within: .seconds(5))
///
/// The search fails immediately if no daemon is running. Otherwise the search returns the resolved printers as soon as
/// the daemon has reported all printers, or at the time limit.
public struct AvahiBrowser: DeviceSource {
    /// Creates a browser for printers that are published with DNS-SD.
    public init() {}

    /// Returns the IPP and IPPS printers on the network.
    ///
    /// - Throws: `unreachable` when no daemon is running.
    public func devices(within time: Duration) async throws(BackendError) -> [FoundDevice] {
        // libavahi and host name lookups block.
        try await BlockingThreads.shared.run { () throws(BackendError) in try AvahiSearch.run(within: time).get() }
    }
}

/// A single search for printers.
///
/// The search runs on one thread.
private final class AvahiSearch {
    private static let types = ["_ipp._tcp", "_ipps._tcp"]
    /// The maximum number of services to resolve, as a protection against hostile networks.
    private static let mostServices = 1000

    private let poll: OpaquePointer
    /// The time at which the search ends.
    private let end: ContinuousClock.Instant
    private var client: OpaquePointer?
    private var browsers: [OpaquePointer] = []
    private var resolvers: Set<OpaquePointer> = []
    /// The number of service types whose initial results are not complete.
    private var open = 0
    private var found: [String: FoundService] = [:]
    private var order: [String] = []
    private var hosts: [String: Bool] = [:]
    private var problem: String?

    static func run(within time: Duration) -> Result<[FoundDevice], BackendError> {
        guard let poll = avahi_simple_poll_new() else {
            return .failure(BackendError(.unreachable, "cannot query Avahi: \(String(cString: strerror(errno)))"))
        }
        let search = AvahiSearch(poll: poll, end: ContinuousClock.now + time)
        defer { search.close() }
        if let words = search.begin() { return .failure(BackendError(.unreachable, words)) }
        while search.open > 0 || !search.resolvers.isEmpty, search.problem == nil {
            let left = ContinuousClock.now.duration(to: search.end)
            guard left > .zero else { break }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard avahi_simple_poll_iterate(poll, Int32(clamping: max(1, min(milliseconds, 1000)))) == 0 else { break }
        }
        if let problem = search.problem, search.found.isEmpty { return .failure(BackendError(.unreachable, problem)) }
        return .success(search.order.compactMap { search.found[$0]?.device })
    }

    private init(poll: OpaquePointer, end: ContinuousClock.Instant) { (self.poll, self.end) = (poll, end) }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func from(_ context: UnsafeMutableRawPointer?) -> AvahiSearch? {
        context.map { Unmanaged<AvahiSearch>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Starts the search; returns an error message if the search cannot start, otherwise nil.
    private func begin() -> String? {
        var error: Int32 = 0
        client = avahi_client_new(
            avahi_simple_poll_get(poll), AvahiClientFlags(0),
            { client, state, context in
                guard let client, state == AVAHI_CLIENT_FAILURE, let search = AvahiSearch.from(context) else { return }
                search.problem = AvahiSearch.message(avahi_client_errno(client))
            }, context, &error)
        guard let client else { return Self.message(error) }
        for type in Self.types {
            let browser = avahi_service_browser_new(
                client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), type, nil,
                AvahiLookupFlags(0),
                { _, interface, family, event, name, type, domain, _, context in
                    AvahiSearch.from(context)?.note(event, interface, family, name, type, domain)
                }, context)
            guard let browser else { return Self.message(avahi_client_errno(client)) }
            browsers.append(browser)
            open += 1
        }
        return nil
    }

    private func note(
        _ event: AvahiBrowserEvent, _ interface: AvahiIfIndex, _ family: AvahiProtocol, _ name: UnsafePointer<CChar>?,
        _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?
    ) {
        switch event {
        case AVAHI_BROWSER_NEW:
            guard let client, resolvers.count + found.count < Self.mostServices else { return }
            let resolver = avahi_service_resolver_new(
                client, interface, family, name, type, domain, AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(0),
                { resolver, _, _, event, name, type, _, host, address, port, record, _, context in
                    guard let resolver, let search = AvahiSearch.from(context) else { return }
                    if event == AVAHI_RESOLVER_FOUND { search.resolved(name, type, host, address, port, record) }
                    search.resolvers.remove(resolver)
                    avahi_service_resolver_free(resolver)
                }, context)
            if let resolver { resolvers.insert(resolver) }
        case AVAHI_BROWSER_ALL_FOR_NOW, AVAHI_BROWSER_FAILURE: open -= 1
        default: break
        }
    }

    private func resolved(
        _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?,
        _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16, _ record: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let name, let type, let host, let address else { return }
        let key = "\(String(cString: type)) \(String(cString: name))"
        var text = [CChar](repeating: 0, count: 64)
        avahi_address_snprint(&text, text.count, address)
        let numeric = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let hostName = String(cString: host)
        let isKnown = leadsSomewhere(hostName)
        // A link-local IPv6 address is usable only together with its interface.
        guard isKnown || !numeric.lowercased().hasPrefix("fe80:") else { return }
        // A service found on several interfaces or with both address families is one printer; prefer IPv4.
        if let known = found[key], isKnown || numeric.contains(":") || !known.host.contains(":") { return }
        if found[key] == nil { order.append(key) }
        found[key] = FoundService(
            name: String(cString: name), type: String(cString: type), host: isKnown ? hostName : numeric,
            port: Int(port), entries: Self.strings(record))
    }

    /// Returns whether the host name can be resolved.
    ///
    /// Without nss-mdns, names under `.local` cannot be resolved.
    private func leadsSomewhere(_ host: String) -> Bool {
        if let known = hosts[host] { return known }
        // Each lookup can take seconds, and the network can publish any number of names.
        guard ContinuousClock.now < end else { return false }
        var list: UnsafeMutablePointer<addrinfo>?
        let isKnown = getaddrinfo(host, nil, nil, &list) == 0
        if list != nil { freeaddrinfo(list) }
        hosts[host] = isKnown
        return isKnown
    }

    private static func strings(_ record: UnsafeMutablePointer<AvahiStringList>?) -> [String] {
        sequence(first: record, next: { $0?.pointee.next }).prefix { $0 != nil }.compactMap { entry in
            guard let entry, let text = avahi_string_list_get_text(entry) else { return nil }
            let bytes = UnsafeBufferPointer(start: text, count: avahi_string_list_get_size(entry))
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func message(_ error: Int32) -> String {
        switch error {
        case Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_DISCONNECTED):
            "cannot discover network printers: no Avahi daemon is running; start avahi-daemon"
        case Int32(AVAHI_ERR_DBUS_ERROR):
            "cannot discover network printers: the Avahi daemon cannot be reached because there is no "
                + "D-Bus system bus"
        default: "Avahi reports: \(String(cString: avahi_strerror(error)))"
        }
    }

    private func close() {
        for resolver in resolvers { avahi_service_resolver_free(resolver) }
        for browser in browsers { avahi_service_browser_free(browser) }
        if let client { avahi_client_free(client) }
        avahi_simple_poll_free(poll)
    }
}
