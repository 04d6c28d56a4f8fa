// Shares the printers of a queue among several hosts.

public import PrintModel

extension Spool {
    /// Whether other hosts may accept and print jobs of the same queue.
    public var isShared: Bool { database.hosts != nil }

    /// The leases that this process holds; the keys are the names of the printers.
    ///
    /// In a shared spool, only the process that holds the lease of a printer prints the printer's jobs.
    public var leases: [String: PrinterLease] { heldLeases.all }

    /// Returns the state of a lease from the view of this process.
    public func state(of lease: PrinterLease) -> PrinterLease.State { heldLeases.state(of: lease) }

    /// Reports to the other hosts that this process is alive, and renews, takes and ends leases (`LeasePlan`).
    ///
    /// Call this function every `leaseInterval`. The function also extends the deadlines of jobs whose documents are
    /// being uploaded to this host, because the other hosts do not know these uploads.
    ///
    /// - Throws: `locked` if another process uses the same host name; `unavailable` if the database does not respond.
    public func renewLeases() async throws(SpoolError) {
        guard let hosts = database.hosts else { return }
        let deadline = heldLeases.now() + PrinterLease.period
        let process = hosts.process
        let leases = try await hostResult {
            try await hosts.beat { [heldLeases, observers] situation in
                let plan = LeasePlan(for: process.host, incarnation: process.incarnation, in: situation)
                if heldLeases.end(plan.release) { observers.wake(isNews: true) }
                return plan
            }
        }
        heldLeases.noteRenewal()
        if heldLeases.replace(by: leases, until: deadline) { observers.wake(isNews: true) }
        try await extendUploads()
    }

    /// The time between two renewals of the leases.
    public static let leaseInterval = Duration.seconds(2)

    /// Ends the leases of this process, so that other hosts take the printers at once.
    public func endLeases() async throws(SpoolError) {
        guard let hosts = database.hosts else { return }
        _ = heldLeases.replace(by: [], until: heldLeases.now())
        try await hostResult { try await hosts.withdraw() }
    }

    /// Extends the deadlines of jobs whose documents are being uploaded to this host.
    private func extendUploads() async throws(SpoolError) {
        let now = clock()
        let ids = uploads.due(every: incomingTimeout / 4, at: now)
        guard !ids.isEmpty else { return }
        try await write(.ordered) { [self] transaction in
            for id in ids {
                guard let job = try transaction.job(id), job.reasons.contains(.jobIncoming) else { continue }
                try store(job, incomingUntil: now + incomingTimeout, in: transaction)
            }
        }
    }

    /// Runs a request to the registry of hosts, and converts an error of the request to `SpoolError`.
    private func hostResult<Value: Sendable>(_ body: () async throws -> Value) async throws(SpoolError) -> Value {
        do { return try await body() } catch { throw database.error(error) }
    }
}

// MARK: - Administration

extension Spool {
    /// The name of this host among the hosts that share the queue; nil if the spool is not shared.
    public var hostName: String? { database.hosts?.process.host }

    /// The time since the last successful renewal of the leases; nil before the first renewal, or if the spool is not
    /// shared.
    public var timeSinceRenewal: Duration? { heldLeases.timeSinceRenewal }

    /// Returns the hosts that share the queue, in the order of their names; empty if the spool is not shared.
    public func hosts() async throws(SpoolError) -> [SpoolHost] {
        guard let hosts = database.hosts else { return [] }
        return try await hostResult { try await hosts.hosts() }
    }

    /// Returns all printers with their hosts, in the order in which the printers were added; empty if the spool is not
    /// shared.
    public func placements() async throws(SpoolError) -> [PrinterPlacement] {
        guard let hosts = database.hosts else { return [] }
        return try await hostResult { try await hosts.placements() }
    }

    /// Returns the hosts that share the queue, and all printers with their hosts.
    ///
    /// - Throws: `notPossible` if the spool is not shared.
    public func hostList() async throws(SpoolError) -> HostList {
        _ = try registry()
        return HostList(hosts: try await hosts(), placements: try await placements())
    }

    /// Returns the properties of the database server; nil if the spool is not shared.
    public func databaseServer() async throws(SpoolError) -> DatabaseServer? {
        guard let hosts = database.hosts else { return nil }
        return try await hostResult { try await hosts.server() }
    }

    /// The restrictions of the connection to the shared database; empty if the spool is not shared.
    public var databaseWarnings: [HealthFinding] { database.warnings }

    /// Applies a change of an administrator.
    ///
    /// The current host of a printer finishes its job in progress before another host takes the printer.
    ///
    /// - Throws: `noSuchPrinter`; `notPossible` if the spool is not shared, if a host does not exist, or if the change
    ///   contradicts another setting.
    public func changeHosts(_ change: HostChange) async throws(SpoolError) {
        switch change {
        case .drain(let host): try await setDraining(true, host: host)
        case .resume(let host): try await setDraining(false, host: host)
        case .remove(let host): try await removeHost(host)
        case .move(let printer, let host):
            let placement = try await placement(of: printer)
            try await place(printer, hosts: placement.hosts, preferredHost: host)
        case .restrict(let printer, let hosts):
            let placement = try await placement(of: printer)
            try await place(printer, hosts: hosts, preferredHost: placement.preferredHost)
        }
    }

    /// Sets whether a host drains: releases its printers, and takes no printers.
    ///
    /// The host finishes its jobs in progress first.
    ///
    /// - Throws: `notPossible` if the host does not exist or the spool is not shared.
    public func setDraining(_ isDraining: Bool, host: String) async throws(SpoolError) {
        let hosts = try registry()
        guard try await hostResult({ try await hosts.setDraining(isDraining, host: host) }) else {
            throw .noSuchHost(host)
        }
    }

    /// Sets the hosts that can reach a printer, and the host that drives the printer.
    ///
    /// The current host finishes its job in progress first.
    ///
    /// - Parameters:
    ///   - hosts: The names of the hosts that can reach the printer; empty for all hosts.
    ///   - preferredHost: The host that drives the printer while this host is alive and does not drain; nil if no
    ///     host is preferred.
    /// - Throws: `noSuchPrinter`; `notPossible` if a host does not exist, if the preferred host cannot reach the
    ///   printer, or if only one host can reach the printer's device.
    public func place(_ printer: String, hosts names: [String], preferredHost: String?) async throws(SpoolError) {
        let hosts = try registry()
        let before = try await placement(of: printer)
        if try await self.printer(named: printer)?.isLocal == true, names != before.hosts {
            throw .notPossible(
                "printer '\(printer)' is a simulated printer, a folder or a local CUPS queue, which only "
                    + "'\(before.hosts.joined(separator: ", "))' can reach")
        }
        // A host that was removed may remain in the list of a printer.
        let known = Set(try await self.hosts().map(\.name) + before.hosts)
        for name in names + (preferredHost.map { [$0] } ?? []) where !known.contains(name) { throw .noSuchHost(name) }
        if let preferredHost, !names.isEmpty, !names.contains(preferredHost) {
            throw preferredHost == before.preferredHost
                ? .excludesPreferredHost(printer, preferredHost) : .unreachable(printer, preferredHost)
        }
        try await hostResult { try await hosts.place(printer, hosts: names, preferredHost: preferredHost) }
    }

    /// Returns the hosts of a printer.
    ///
    /// - Throws: `noSuchPrinter`; `notPossible` if the spool is not shared.
    private func placement(of printer: String) async throws(SpoolError) -> PrinterPlacement {
        _ = try registry()
        guard let placement = try await placements().first(where: { $0.printer == printer }) else {
            throw .noSuchPrinter(printer)
        }
        return placement
    }

    /// Removes a host that is not alive from the list of hosts.
    ///
    /// - Throws: `notPossible` if the host does not exist or is alive.
    public func removeHost(_ name: String) async throws(SpoolError) {
        let hosts = try registry()
        guard try await hostResult({ try await hosts.remove(host: name) }) else {
            guard try await self.hosts().contains(where: { $0.name == name }) else { throw .noSuchHost(name) }
            throw .notPossible("host '\(name)' is alive; stop its printd first")
        }
    }

    private func registry() throws(SpoolError) -> any HostRegistry {
        guard let hosts = database.hosts else {
            throw .notPossible(
                "the queue has only one host; to share the queue, set 'store' in printd.json5 to a PostgreSQL database")
        }
        return hosts
    }
}

extension SpoolError {
    fileprivate static func noSuchHost(_ name: String) -> SpoolError {
        .notPossible("host '\(name)' does not exist; 'printq hosts' lists the hosts")
    }

    fileprivate static func unreachable(_ printer: String, _ host: String) -> SpoolError {
        .notPossible(
            "printer '\(printer)' cannot be moved to '\(host)', because '\(host)' cannot reach the printer; "
                + "'printq hosts restrict' changes the hosts that can reach the printer")
    }

    fileprivate static func excludesPreferredHost(_ printer: String, _ host: String) -> SpoolError {
        .notPossible(
            "printer '\(printer)' was moved to '\(host)', which is not among these hosts; "
                + "'printq hosts move \(printer) --evenly' ends the preference")
    }
}
