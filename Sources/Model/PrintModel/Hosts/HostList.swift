// Describes which host drives each printer of a shared queue.

/// A snapshot of the hosts that share a queue, and of the printers that each host drives.
public struct HostList: Hashable, Sendable {
    /// The hosts, in the order of their names.
    package var hosts: [SpoolHost]
    /// The printers with their hosts, in the order in which the printers were added.
    package var placements: [PrinterPlacement]

    package init(hosts: [SpoolHost] = [], placements: [PrinterPlacement] = []) {
        (self.hosts, self.placements) = (hosts, placements)
    }

    package func placement(of printer: String) -> PrinterPlacement? { placements.first { $0.printer == printer } }

    package func printers(drivenBy host: String) -> [PrinterPlacement] { placements.filter { $0.driver == host } }

    /// Returns whether a host drives a printer or can reach the printer.
    ///
    /// The result is true if the placement of the printer names no hosts, or is unknown.
    package func canReach(_ printer: String, from host: String) -> Bool {
        guard let placement = placement(of: printer) else { return true }
        return placement.driver == host || placement.hosts.isEmpty || placement.hosts.contains(host)
    }

    /// Returns the host that drives a printer, or the reason why no host drives the printer.
    package func driver(of printer: String) -> PrinterDriver {
        guard let placement = placement(of: printer) else { return .changing }
        if let driver = placement.driver { return .host(driver) }
        let names = placement.hosts.isEmpty ? hosts.map(\.name) : placement.hosts
        let candidates = hosts.filter { names.contains($0.name) && $0.isAlive }
        if candidates.contains(where: { !$0.isDraining }) { return .changing }
        return candidates.isEmpty ? .noHost(names) : .draining(candidates.map(\.name))
    }
}

/// The host that drives a printer of a shared queue, or the reason why no host drives the printer.
public enum PrinterDriver: Hashable, Sendable {
    case host(String)
    /// No host drives the printer now. A host will take the printer within the lease period.
    case changing
    /// The hosts with these names can reach the printer, but take no printers because they drain.
    case draining([String])
    /// The hosts with these names can reach the printer, but are not alive.
    case noHost([String])

    package var hostName: String? {
        if case .host(let name) = self { name } else { nil }
    }

    /// Returns one sentence about the driver of a printer.
    ///
    /// - Parameter waiting: The subject and the verb of the clause about the jobs, such as `job 3 waits`.
    package func explanation(of printer: String, waiting: String = "its jobs wait") -> String {
        switch self {
        case .host(let name): "Host \(name) drives \(printer)."
        case .changing: "No host drives \(printer) at this moment: \(waiting) until a host takes the printer."
        case .draining(let names):
            "No host drives \(printer), because \(names.joined(separator: ", ")) "
                + "\(names.count == 1 ? "is" : "are") draining: \(waiting); "
                + "'printq hosts resume \(names[0])' ends the draining."
        case .noHost(let names):
            "No host that can reach \(printer) is alive: \(waiting) until "
                + (names.count == 1
                    ? "host \(names[0]) starts." : "one of the hosts \(names.joined(separator: ", ")) starts.")
        }
    }
}
