// Tests printing while hundreds of other printers accept connections and never respond.

import Foundation
import Glibc
import IPP
import PrintModel
import SpoolerClient
import PrintSpool
import PrintTestSupport
import SpoolerTrials

/// A trial that prints on ten simulated printers, without and with 300 silent printers, and ends printd with SIGTERM.
///
/// Each silent printer has a job. One in ten silent printers is a queue of a silent cupsd.
struct SilentPrintersTrial {
    private static let healthy = (1...10).map { "healthy-\($0)" }
    private static let devices = ["color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo"]
    private static let silentCount = 300
    private static let jobsPerPrinter = 3
    /// The maximum time for SIGTERM, in seconds.
    private static let mostSeconds = 5.0

    private let options: TrialOptions
    private let spooler: TrialSpooler
    private let listener: SilentListener
    private let documents = TrialDocuments()

    static func run(_ options: TrialOptions, folder: String) async throws -> SilentPrintersReport {
        raiseOpenFiles()
        let spooler = try TrialSpooler(folder: folder, arguments: ["--simulator-speed", "instant"])
        return try await SilentPrintersTrial(options: options, spooler: spooler, listener: SilentListener()).run()
    }

    private static func raiseOpenFiles() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private var silent: [String] { (1...Self.silentCount).map { "silent-\($0)" } }

    private func run() async throws -> SilentPrintersReport {
        try await addPrinters()
        try await spooler.start()
        _ = try await printOnHealthy()  // a warm-up
        var without: [Double] = []
        for _ in 0..<options.rounds { without.append(try await printOnHealthy()) }
        try await submit(to: silent)
        do {
            // Poll, because there is no notification about a connection.
            try await eventually("every silent printer is being queried", within: .seconds(60)) {
                listener.count >= Self.silentCount
            }
        } catch is NeverSo {}
        let connections = listener.count
        var with: [Double] = []
        for _ in 0..<options.rounds { with.append(try await printOnHealthy()) }
        let threads = spooler.pid.flatMap { ProcessSample(of: $0)?.threads } ?? 0
        let seconds = end()
        return SilentPrintersReport(
            silent: Self.silentCount, connections: connections, threads: threads, without: without, with: with,
            termination: seconds, mostSeconds: Self.mostSeconds)
    }

    private func addPrinters() async throws {
        let spool = try Spool(folder: spooler.spool)
        for (index, name) in Self.healthy.enumerated() {
            let device = Self.devices[index % Self.devices.count]
            try await spool.addPrinter(
                ConfiguredPrinter(name: name, deviceURI: "printsim:\(device)", isDefault: index == 0))
        }
        for (index, name) in silent.enumerated() {
            let place = "127.0.0.1:\(listener.port)"
            let uri = index % 10 == 0 ? "cups://\(place)/\(name)" : "ipp://\(place)/ipp/print/\(name)"
            try await spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: uri))
        }
        try spool.close()
    }

    // MARK: - Printing

    /// Prints some jobs on all healthy printers at the same time; returns the time until all were printed, in seconds.
    private func printOnHealthy() async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for printer in Self.healthy {
                group.addTask {
                    let client = TrialClient(spooler.client())
                    for _ in 0..<Self.jobsPerPrinter {
                        let id = try await submit(to: printer, by: client)
                        _ = try await client.queue.follow(id) { _ in }
                    }
                    await client.close()
                }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private func submit(to printers: [String]) async throws {
        // printd queries an unknown printer for two seconds before it accepts a job for the printer.
        let lanes = 50
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    let client = TrialClient(spooler.client())
                    for index in stride(from: lane, to: printers.count, by: lanes) {
                        _ = try await submit(to: printers[index], by: client)
                    }
                    await client.close()
                }
            }
            try await group.waitForAll()
        }
    }

    private func submit(to printer: String, by client: TrialClient) async throws -> Int {
        let answer = try await client.insist(
            .printJob, printer: printer,
            attributes: [
                Attribute("job-name", .name("for \(printer)")),
                Attribute("printq-submission-id", .name(UUID().uuidString)),
                Attribute("document-format", .mimeMediaType("application/pdf")),
            ], document: documents.small)
        guard answer.status.isSuccess, let id = answer[.job]?.integer("job-id").map(Int.init) else {
            throw CrashClient.Refused(description: "a job for \(printer) was rejected: \(answer)")
        }
        return id
    }

    /// Ends printd with SIGTERM; returns the time in seconds, or nil if printd does not end within a minute.
    private func end() -> Double? {
        guard let pid = spooler.pid else { return nil }
        let start = ContinuousClock.now
        kill(pid, SIGTERM)
        var status: Int32 = 0
        while ContinuousClock.now - start < .seconds(60) {
            if waitpid(pid, &status, WNOHANG) == pid { return (ContinuousClock.now - start) / .seconds(1) }
            usleep(5000)  // waitpid(2) has no timeout
        }
        return nil
    }
}

/// The results of a trial with silent printers.
struct SilentPrintersReport: TrialReport {
    /// The number of silent printers.
    var silent: Int
    /// The number of accepted connections when the second half began.
    var connections: Int
    /// The number of threads of printd at that time.
    var threads: Int
    /// The seconds for the jobs of the healthy printers, before the silent printers had jobs.
    var without: [Double]
    /// The seconds for the same jobs while the silent printers had jobs.
    var with: [Double]
    /// The seconds from SIGTERM to the end; nil if printd did not end.
    var termination: Double?
    /// The maximum number of seconds for SIGTERM.
    var mostSeconds: Double

    /// The ratio of the fastest rounds with and without silent printers.
    var ratio: Double { (with.min() ?? .infinity) / max(without.min() ?? 0, 0.001) }

    var problems: [String] {
        var problems: [String] = []
        if connections < silent { problems.append("only \(connections) of \(silent) silent printers were queried") }
        // The goal is 1.1. The limit is higher, because other load on the machine slows the jobs down; a job that waits
        // for a silent printer takes as long as the time limit of a connection.
        if ratio > 4 { problems.append("jobs of healthy printers take \(ratio) times as long") }
        if (termination ?? .infinity) > mostSeconds {
            problems.append("SIGTERM took \(termination.map { "\($0) s" } ?? "longer than a minute")")
        }
        return problems
    }

    var text: String {
        """
        \(silent) silent printers, \(connections) connections, \(threads) threads
        seconds without: \(without), with: \(with); ratio of the fastest: \(ratio)
        SIGTERM: \(termination.map { "\($0) s" } ?? "no end within a minute")
        """
    }
}
