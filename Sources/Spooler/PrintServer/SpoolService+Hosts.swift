// Shows and changes the hosts of a shared queue.

import IPP
import PrintIPP
public import PrintModel
import PrintScheduler
import PrintSpool
import Synchronization

extension SpoolService {
    /// Returns the hosts that share the queue, and the hosts of all printers.
    public func hostList() async throws -> HostList {
        try await spool.hostList()
    }

    /// Changes a host, or the hosts of a printer.
    public func changeHosts(_ change: HostChange) async throws {
        try await spool.changeHosts(change)
        hosts.forget()
    }

    /// Returns the hosts, as they were at most one second ago; nil if the spool is not shared, or if the database
    /// cannot be read.
    func recentHosts() async -> HostList? {
        guard spool.isShared else { return nil }
        if let known = hosts.known(at: clock()) { return known }
        guard let list = try? await spool.hostList() else { return nil }
        hosts.keep(list, at: clock())
        return list
    }

    /// Returns the status and capabilities of printers, as seen from this host, in the order of the printers.
    ///
    /// If this host does not drive a printer, this host queries the printer only if this host can reach the printer.
    /// Without a response, a printer that another host drives, or that this host cannot reach, counts as idle.
    func quickStatuses(of printers: [ConfiguredPrinter], hosts: HostList?) async -> [PrinterDirectory.QuickStatus] {
        guard let hosts, let own = spool.hostName else { return await directory.quickStatuses(of: printers) }
        let reached = printers.filter { hosts.canReach($0.name, from: own) }
        var answers = await directory.quickStatuses(of: reached)[...]
        var names = reached.map(\.name)[...]
        return printers.map { printer in
            let canReach = names.first == printer.name
            var seen = canReach ? answers.removeFirst() : PrinterDirectory.QuickStatus()
            if canReach { names.removeFirst() }
            let driver = hosts.driver(of: printer.name).hostName
            let isDrivenElsewhere = driver != nil && driver != own
            if seen.status == nil, isDrivenElsewhere || !canReach { seen.status = PrinterStatus(state: .idle) }
            return seen
        }
    }

    /// Returns the status of a printer of the queue.
    ///
    /// If all hosts that can reach the printer are draining or not alive, the status explains which host must be
    /// started or resumed.
    static func status(
        _ row: ConfiguredPrinter, seen: PrinterDirectory.QuickStatus, hosts: HostList?
    ) -> PrinterStatus {
        let status = status(row, device: seen.status, problem: seen.problem)
        guard let driver = hosts?.driver(of: row.name), !row.isPaused else { return status }
        switch driver {
        case .host, .changing: return status
        case .draining, .noHost:
            return PrinterStatus(
                state: .idle, reasons: ["offline-report"], message: driver.explanation(of: row.name),
                isAccepting: row.isAccepting)
        }
    }

    /// Returns the requested attributes about the hosts of the queue.
    ///
    /// The supported attributes are:
    /// - `printq-host-name`: the name of this host
    /// - the attributes of Get-Hosts
    func hostAttributes(requested: RequestedAttributes) async -> [Attribute] {
        guard let name = spool.hostName else { return [] }
        var attributes = [Attribute("printq-host-name", .name(name))].filter { requested.names($0.name) }
        if requested.names(HostList.hostsName) || requested.names(HostList.placementsName) {
            attributes += (await recentHosts()?.attributes ?? []).filter { requested.names($0.name) }
        }
        return attributes
    }
}

/// A short-lived cache of the host list, for requests that list printers or jobs.
final class RecentHosts: Sendable {
    private let latest = Mutex<(list: HostList, time: UnixTime)?>(nil)

    /// The time for which the cached list is valid, in seconds.
    private static let lifetime = 1.0

    /// Returns the cached list; nil if the list is missing or has expired.
    func known(at now: UnixTime) -> HostList? {
        latest.withLock { latest in
            guard let latest, (0..<Self.lifetime).contains(now - latest.time) else { return nil }
            return latest.list
        }
    }

    /// Stores a list that was just read.
    func keep(_ list: HostList, at now: UnixTime) { latest.withLock { $0 = (list, now) } }

    /// Removes the cached list after a change of the hosts.
    func forget() { latest.withLock { $0 = nil } }
}
