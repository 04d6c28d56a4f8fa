// Keeps the hosts and their leases on a simulated database server.

import PrintModel
import PrintSpool

/// The hosts and leases on a simulated database server.
struct SimulatedHosts: HostRegistry {
    let store: SimulatedServerStore

    var process: HostProcess { store.process }

    func beat(_ plan: @escaping @Sendable (LeaseSituation) -> LeasePlan) async throws -> [PrinterLease] {
        try await perform { [process, server = store.server] tables, transaction, now in
            guard tables.hear(process, at: now) else { throw SpoolError.sameHostName(process) }
            let jobs = try transaction.jobsInProgress()
            let plan = plan(
                tables.situation(
                    printers: try transaction.printers().map(\.name),
                    printing: Set(jobs.filter { !$0.reasons.contains(.jobSuspended) }.map(\.printer)), at: now,
                    early: server.early))
            var leases = tables.renew(plan.renew, of: process, at: now)
            tables.end(plan.release, of: process)
            for printer in plan.acquire.sorted() {
                let ids = jobs.filter { $0.printer == printer }.map(\.id)
                let other = tables.leases[printer]?.host
                let lease = tables.acquire(
                    printer, for: process, inProgress: ids, at: now, early: server.early)
                guard let lease else { continue }
                leases.append(lease)
                if other != nil && other != process.host { server.observe(.takeover(jobs: ids.count)) }
            }
            return leases
        }
    }

    func withdraw() async throws { try await perform { [process] tables, _, _ in tables.withdraw(process) } }

    func hosts() async throws -> [SpoolHost] {
        try await perform { tables, _, now in
            tables.hosts.sorted { $0.key < $1.key }.map { name, host in
                SpoolHost(
                    name: name, version: Release.version, startedAt: host.startedAt,
                    lastSeenAt: host.lastSeenAt.isFinite ? host.lastSeenAt : nil,
                    isAlive: tables.isAlive(host, at: now),
                    isDraining: host.isDraining)
            }
        }
    }

    func placements() async throws -> [PrinterPlacement] {
        try await perform { tables, transaction, now in
            try transaction.printers().map { printer in
                let lease = tables.leases[printer.name].flatMap { $0.until >= now ? $0 : nil }
                let placement = tables.placements[printer.name]
                return PrinterPlacement(
                    printer: printer.name, hosts: placement?.hosts ?? [], preferredHost: placement?.preferredHost,
                    driver: lease?.host, drivenSince: lease?.since)
            }
        }
    }

    func setDraining(_ isDraining: Bool, host: String) async throws -> Bool {
        try await perform { tables, _, _ in
            tables.hosts[host]?.isDraining = isDraining
            return tables.hosts[host] != nil
        }
    }

    func place(_ printer: String, hosts: [String], preferredHost: String?) async throws {
        try await perform { tables, _, _ in
            tables.placements[printer] = HostTables.Placement(hosts: hosts, preferredHost: preferredHost)
        }
    }

    func remove(host: String) async throws -> Bool {
        try await perform { tables, _, now in tables.remove(host: host, at: now) }
    }

    func server() async throws -> DatabaseServer {
        try await perform { _, _, _ in
            DatabaseServer(
                version: "15", clockDifference: 0, roundTrip: 0, synchronousStandbys: "standby",
                connectedSynchronousStandbys: 1, commitsAreDurable: true)
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (inout HostTables, SQLiteTransaction, _ now: Double) throws -> Value
    ) async throws -> Value {
        try await store.perform { [server = store.server] in try server.transaction(body) }
    }
}

/// The contents of large documents on a simulated database server.
struct SimulatedContents: LargeDocuments {
    let store: SimulatedServerStore

    /// The size of a part in bytes, which is smaller than in PostgreSQL.
    private static let partSize = 30_000

    func add(contentOfFile path: String) async throws -> Int {
        guard let bytes = store.client.read(path) else {
            throw SpoolError(code: .unwritable, message: "cannot read '\(path)'")
        }
        return try await store.perform { [server = store.server] in
            try server.transaction { tables, _, now in
                tables.lastContent += 1
                tables.contents[tables.lastContent] = HostTables.Content(bytes: bytes, createdAt: now)
                return tables.lastContent
            }
        }
    }

    func read(_ id: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> Bool {
        let bytes = try await store.perform { [server = store.server] in
            server.tables.withLock { $0.contents[id]?.bytes }
        }
        guard let bytes else { return false }
        for start in stride(from: 0, to: bytes.count, by: Self.partSize) {
            try receive(Array(bytes[start..<min(start + Self.partSize, bytes.count)]))
        }
        return true
    }

    func discard(_ id: Int) async {
        _ = try? await store.perform { [server = store.server] in
            try server.transaction { tables, transaction, _ in
                guard try !transaction.usedContents().contains(id) else { return }
                tables.contents[id] = nil
            }
        }
    }
}
