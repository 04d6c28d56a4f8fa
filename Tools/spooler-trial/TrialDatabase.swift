// Runs the database of a trial with several hosts.

import Foundation
import PrintTestSupport
import SpoolerTrials
import Synchronization

/// A PostgreSQL server and its standby, which can replace each other.
final class TrialDatabase: Sendable {
    static let name = "queue"
    /// Whether commits wait for the standby.
    let isSynchronous: Bool
    /// The time before a failover in which an asynchronous standby receives nothing.
    private static let delayOfStandby = Duration.seconds(1)
    /// Both servers; their ports never change.
    let servers: [PrivatePostgres]
    /// The index of the primary server.
    private let primaryIndex = Mutex(0)

    init(isSynchronous: Bool) async throws {
        self.isSynchronous = isSynchronous
        let settings = [
            "max_connections": "200", "wal_retrieve_retry_interval": "100ms", "wal_keep_size": "256MB",
            "checkpoint_timeout": "60s",
        ]
        servers = try await Self.blocking {
            let servers = [try PrivatePostgres(settings: settings), try PrivatePostgres(settings: settings)]
            try servers[0].query("CREATE DATABASE \(Self.name)")
            try servers[1].becomeStandby(of: servers[0])
            return servers
        }
        try await Self.blocking { [self] in try primary.setSynchronous(isSynchronous) }
    }

    /// The primary server.
    var primary: PrivatePostgres { servers[primaryIndex.withLock { $0 }] }

    /// Returns the URI of the database through one proxy for each server.
    static func uri(_ proxies: [InterruptibleProxy]) -> String {
        let hosts = proxies.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return "postgresql://postgres@\(hosts)/\(name)?target_session_attrs=read-write"
    }

    /// Runs a query at the primary server, and returns its rows.
    func query(_ sql: String) async throws -> [String] {
        let output = try await Self.blocking { [self] in try primary.query(sql, database: Self.name) }
        return output.split(separator: "\n").map(String.init)
    }

    /// Kills the primary server and starts the server again.
    func restart(after milliseconds: Int) async throws {
        let primary = primary
        try await Self.blocking { primary.kill() }
        try await Task.sleep(for: .milliseconds(milliseconds))  // the duration of the fault
        try await Self.blocking {
            try primary.start()
            try primary.waitForStandby()
        }
    }

    /// Kills the primary server, makes its standby the primary server, and makes the killed server the new standby.
    func failOver(after milliseconds: Int) async throws {
        let (old, next) = primaryIndex.withLock { (servers[$0], 1 - $0) }
        if !isSynchronous {
            // The standby misses the last commits, as a standby with a slow network.
            try await Self.blocking { [self] in servers[next].pause() }
            try await Task.sleep(for: Self.delayOfStandby)  // the time of the missing commits
        }
        try await Self.blocking { [self] in
            old.kill()
            if !isSynchronous { servers[next].resume() }
        }
        try await Task.sleep(for: .milliseconds(milliseconds))  // the duration of the fault
        try await Self.blocking { [self] in
            try servers[next].promoteToPrimary()
            primaryIndex.withLock { $0 = next }
            try old.becomeStandby(of: servers[next])
            try servers[next].setSynchronous(isSynchronous)
        }
    }

    /// Runs a function that blocks its thread.
    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
