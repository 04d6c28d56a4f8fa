// The hosts of a shared queue as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension HostList {
    package static let hostsName = "printq-hosts"
    package static let placementsName = "printq-placements"

    /// IPP attributes cannot be empty.
    ///
    /// Therefore the attribute of an empty list is missing.
    package var attributes: [Attribute] {
        let hosts = Attribute(Self.hostsName, hosts.map { .collection(Collection($0.attributes)) })
        let placements = Attribute(Self.placementsName, placements.map { .collection(Collection($0.attributes)) })
        return [hosts, placements].filter { !$0.values.isEmpty }
    }

    /// Creates a list from attributes; nil if the group contains no hosts.
    ///
    /// Hosts and printers without a name are ignored.
    package init?(attributes group: AttributeGroup) {
        guard let hosts = group[Self.hostsName] else { return nil }
        self.init(
            hosts: hosts.values.compactMap { $0.collectionValue.flatMap { SpoolHost(members: $0) } },
            placements: group[Self.placementsName]?.values.compactMap {
                $0.collectionValue.flatMap { PrinterPlacement(members: $0) }
            } ?? [])
    }
}

extension SpoolHost {
    package var attributes: [Attribute] {
        [
            Attribute("printq-host-name", .name(name)), Attribute("printq-host-state", .keyword(state.rawValue)),
            Attribute("printq-host-is-draining", .boolean(isDraining)), Attribute("printq-version", .text(version)),
            Attribute("printq-start-time", .moment(startedAt)),
            Attribute("printq-last-seen-time", lastSeenAt.map { .moment($0) } ?? .outOfBand(.noValue)),
        ]
    }

    fileprivate init?(members: IPP.Collection) {
        guard let name = members.string("printq-host-name") else { return nil }
        let state = members.string("printq-host-state").flatMap(State.init)
        self.init(
            name: name, version: members.string("printq-version") ?? "",
            startedAt: members.time("printq-start-time") ?? 0, lastSeenAt: members.time("printq-last-seen-time"),
            isAlive: state == .alive || state == .draining,
            isDraining: members["printq-host-is-draining"]?.first?.boolValue ?? false)
    }
}

extension PrinterPlacement {
    /// `printq-reachable-hosts` is missing if all hosts can reach the printer.
    package var attributes: [Attribute] {
        func name(_ name: String?) -> Value { name.map { .name($0) } ?? .outOfBand(.noValue) }
        let attributes = [
            Attribute("printer-name", .name(printer)), Attribute("printq-host", name(driver)),
            Attribute("printq-driven-since", drivenSince.map { .moment($0) } ?? .outOfBand(.noValue)),
            Attribute("printq-preferred-host", name(preferredHost)),
        ]
        return attributes
            + (hosts.isEmpty ? [] : [Attribute("printq-reachable-hosts", hosts.map { .name($0) })])
    }

    fileprivate init?(members: IPP.Collection) {
        guard let printer = members.string("printer-name") else { return nil }
        self.init(
            printer: printer,
            hosts: members.strings("printq-reachable-hosts"),
            preferredHost: members.string("printq-preferred-host"), driver: members.string("printq-host"),
            drivenSince: members.time("printq-driven-since"))
    }
}

extension HostChange {
    package var attributes: [Attribute] {
        func host(_ name: String) -> Attribute { Attribute("printq-host-name", .name(name)) }
        switch self {
        case .drain(let name): return [Self.keyword("drain"), host(name)]
        case .resume(let name): return [Self.keyword("resume"), host(name)]
        case .remove(let name): return [Self.keyword("remove"), host(name)]
        case .move(_, let name): return [Self.keyword("move")] + (name.map { [host($0)] } ?? [])
        case .restrict(_, let names):
            let hosts = Attribute("printq-reachable-hosts", names.map { .name($0) })
            return [Self.keyword("restrict")] + (names.isEmpty ? [] : [hosts])
        }
    }

    /// The name of the changed printer; nil for a change of a host.
    package var printer: String? {
        switch self {
        case .move(let printer, _), .restrict(let printer, _): printer
        case .drain, .resume, .remove: nil
        }
    }

    /// Creates a change from operation attributes.
    ///
    /// - Parameter printer: The name of the printer in the request's `printer-uri`; nil if the URI contains no printer
    ///   name.
    /// - Throws: `client-error-bad-request` if an attribute is missing or has an unknown value.
    init(attributes group: AttributeGroup, printer: String?) throws(IPPFailure) {
        let name = group.string("printq-host-name")
        func host() throws(IPPFailure) -> String {
            guard let name else { throw .badRequest("the request has no printq-host-name") }
            return name
        }
        func target() throws(IPPFailure) -> String {
            guard let printer else { throw .badRequest("the request has no printer-uri with the name of a printer") }
            return printer
        }
        switch group.keywords("printq-host-change").first {
        case "drain": self = .drain(host: try host())
        case "resume": self = .resume(host: try host())
        case "remove": self = .remove(host: try host())
        case "move": self = .move(printer: try target(), host: name)
        case "restrict": self = .restrict(printer: try target(), hosts: group.strings("printq-reachable-hosts"))
        default:
            throw .badRequest(
                "printq-host-change is missing or unknown; expected drain, resume, remove, move or restrict")
        }
    }

    private static func keyword(_ word: String) -> Attribute { Attribute("printq-host-change", .keyword(word)) }
}
