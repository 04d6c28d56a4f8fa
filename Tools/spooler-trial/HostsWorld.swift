// Keeps the state that the rounds of a trial with several hosts share.

import Foundation
import IPP
import PrintTestSupport
import SpoolerClient
import SpoolerTrials
import Synchronization

/// The programs of the trial, and the responses to its clients.
final class HostsWorld: Sendable {
    static let hostCount = 3
    static let printerCount = 5

    let database: TrialDatabase
    let hosts: [TrialHost]
    let printers: [MatrixPrinter]
    let documents = TrialDocuments()
    /// Whether the clients start no new submissions.
    let clientsPause = Atomic(false)
    private let journal = Mutex(HostsJournal())

    init(folder: String, isSynchronous: Bool) async throws {
        TrialSpooler.markProcesses(of: folder)
        let database = try await TrialDatabase(isSynchronous: isSynchronous)
        self.database = database
        hosts = try (1...Self.hostCount).map { number in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/host-\(number)", withIntermediateDirectories: true)
            return try TrialHost("host-\(number)", folder: folder, database: database)
        }
        printers = try (1...Self.printerCount).map { number in
            let path = "\(folder)/printer-\(number)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            // Slow printers have jobs in progress at most faults.
            return MatrixPrinter(folder: path, speed: number % 2 == 0 ? "x10" : "instant")
        }
    }

    /// The name of a printer in the queue.
    static func printerName(_ index: Int) -> String { "printer-\(index + 1)" }

    /// The responses and faults so far.
    var recorded: HostsJournal { journal.withLock { $0 } }

    /// Records a response or a fault.
    func record(_ body: @Sendable (inout HostsJournal) -> Void) { journal.withLock { body(&$0) } }

    /// Starts the printers and the hosts, and adds the printers to the queue.
    func start() async throws {
        for printer in printers { try await printer.start() }
        for host in hosts { try await host.start() }
        for (index, printer) in printers.enumerated() { try await add(printer, named: Self.printerName(index)) }
        let last = Self.printerName(Self.printerCount - 1)
        for host in hosts { try await host.waitForResponse(about: last, within: .seconds(30)) }
    }

    private func add(_ printer: MatrixPrinter, named name: String) async throws {
        let client = TrialClient(hosts[0].spooler.client())
        try await client.queue.change(printer: name, [Attribute("device-uri", .uri(printer.uri))])
        await client.close()
    }

    func end() { for host in hosts { host.end() } }
}

/// The responses to the clients, and the faults.
struct HostsJournal: Sendable {
    /// The numbers of the acknowledged jobs, by job name.
    var acknowledged: [String: Set<Int>] = [:]
    /// The number of faults of each kind.
    var faults: [HostsFault: Int] = [:]
    /// The numbers of lost responses and other events.
    var counts: [String: Int] = [:]
    /// The seconds from the death of a host until other hosts drove its printers, without a concurrent fault.
    var takeovers: [Double] = []
    /// The same seconds, with concurrent faults of other hosts and of the database.
    var disturbedTakeovers: [Double] = []
    /// The number of jobs that did not end.
    var stuck = 0
    /// The number of acknowledged changes of printers that another host has overwritten.
    var lostUpdates = 0
    var problems: [String] = []

    /// Counts an event.
    mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}
