// Formats the hosts of a shared queue as tables and as JSON.

import PrintIPP
package import PrintModel
package import SpoolerClient

extension HostList {
    /// Returns the hosts as a table.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - times: The style of the times, relative or absolute.
    package func hostTable(now: UnixTime, times: TimeStyle = .absolute) -> TextTable {
        var table = TextTable([
            .left("HOST"), .left("STATE"), .left("VERSION"), .left("STARTED"), .left("HEARD"), .note("PRINTERS"),
        ])
        for host in hosts {
            let printers = printers(drivenBy: host.name).map { placement in
                placement.printer + (placement.drivenSince.map { " (\(Self.since($0, now: now, times)))" } ?? "")
            }
            table.add(
                [
                    host.name, host.state.rawValue, host.version, times.text(host.startedAt, now: now),
                    host.lastSeenAt.map { times.text($0, now: now) } ?? "", printers.joined(separator: ", "),
                ], tones: host.state.tone.map { [1: $0] } ?? [:])
        }
        return table
    }

    /// Returns the printers with their hosts as a table.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - times: The style of the times, relative or absolute.
    package func placementTable(now: UnixTime, times: TimeStyle = .absolute) -> TextTable {
        var table = TextTable([
            .left("PRINTER"), .left("HOST"), .left("SINCE"), .left("PREFERRED"), .flexible("REACHABLE FROM"),
            .note("NOTE"),
        ])
        for placement in placements {
            let driver = driver(of: placement.printer)
            table.add(
                [
                    placement.printer, placement.driver ?? "none",
                    placement.drivenSince.map { times.text($0, now: now) } ?? "", placement.preferredHost ?? "",
                    placement.hosts.isEmpty ? "all hosts" : placement.hosts.joined(separator: ", "),
                    driver.hostName == nil ? driver.explanation(of: placement.printer) : "",
                ], tones: driver.hostName == nil ? [1: .bad] : [:])
        }
        return table
    }

    /// The hosts and printers as JSON.
    package var json: JSONText {
        .object([
            (Self.hostsName, .array(hosts.map { JSONText($0.attributes) })),
            (Self.placementsName, .array(placements.map { JSONText($0.attributes) })),
        ])
    }

    /// Returns one line about the hosts, such as `a (this host): 2 printers; b: draining, 1 printer; c: lost`.
    ///
    /// - Parameter own: The name of the host that returned the list; nil if unknown.
    package func summary(own: String?) -> String {
        hosts.map { host in
            let count = printers(drivenBy: host.name).count
            let words = [
                host.state == .alive ? "" : host.state.rawValue,
                host.isAlive || count > 0 ? "\(count) printer\(count == 1 ? "" : "s")" : "",
            ]
            return host.name + (host.name == own ? " (this host)" : "") + ": "
                + words.filter { !$0.isEmpty }.joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func since(_ time: UnixTime, now: UnixTime, _ times: TimeStyle) -> String {
        times == .relative ? times.text(time, now: now) : "since \(times.text(time, now: now))"
    }
}

extension HostChange {
    /// Returns the line that reports the change to the user.
    ///
    /// - Parameter list: The hosts after the change.
    package func report(_ list: HostList) -> String {
        switch self {
        case .drain(let host):
            let count = list.printers(drivenBy: host).count
            let words = "\(host) is draining and takes no more printers"
            guard count > 0 else { return words }
            return "\(words); it releases \(count == 1 ? "1 printer" : "\(count) printers") after the jobs in progress"
        case .resume(let host): return "\(host) takes printers again"
        case .remove(let host): return "removed \(host)"
        case .move(let printer, nil): return "\(printer) has no preferred host"
        case .move(let printer, let host?):
            guard let driver = list.placement(of: printer)?.driver else { return "\(host) takes \(printer)" }
            return driver == host
                ? "\(host) drives \(printer)"
                : "\(host) takes \(printer) when \(driver) has finished its job in progress"
        case .restrict(let printer, []): return "all hosts can reach \(printer)"
        case .restrict(let printer, let hosts): return "only \(hosts.joined(separator: ", ")) can reach \(printer)"
        }
    }

    /// Returns the changed host or printer as JSON.
    ///
    /// - Parameter list: The hosts after the change.
    package func json(_ list: HostList) -> JSONText {
        switch self {
        case .drain(let name), .resume(let name), .remove(let name):
            guard let host = list.hosts.first(where: { $0.name == name }) else {
                return .object([("printq-host-name", .string(name))])
            }
            return JSONText(host.attributes)
        case .move(let printer, _), .restrict(let printer, _):
            return JSONText(list.placement(of: printer)?.attributes ?? [])
        }
    }
}

extension SpoolHost.State {
    /// The color of the host's state; nil for the normal color.
    fileprivate var tone: Tone? {
        switch self {
        case .alive: .good
        case .draining: .attention
        case .lost: .bad
        case .stopped: nil
        }
    }
}
