import Dispatch
import Foundation
import PostgresClient
import PrintModel
import PrintTestSupport
import SpoolerTrials
import Synchronization
import Testing

@testable import PrintSpool

/// Tests of two operations on different hosts whose transactions overlap at a chosen statement.
///
/// The first operation stops before one of its statements. The second operation runs until it ends, or until it waits
/// for a lock of the first operation. Then the first operation continues.
@Suite(
    .serialized, .disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"),
    .timeLimit(.minutes(TestRun.isLong ? 30 : 5)))
struct TransactionPairTests {
    /// An operation of a user, an administrator or the scheduler.
    enum Step: String, CaseIterable, Sendable {
        case submit, create, claim, move, cancel, add, modify, pause, remove, place, drain

        /// The host that runs the operation if both operations have no other requirement.
        ///
        /// Host a drives the printers.
        var isOnA: Bool { self == .claim || self == .drain }
    }

    /// The result of an operation.
    enum Outcome: Sendable {
        case job(Int)
        case claimed([Job])
        case done
        case refused(SpoolError)

        var isRefused: Bool { if case .refused = self { true } else { false } }
    }

    /// Two hosts with the printers `p`, at which a job waits, and `r`, at which no job waits.
    private final class World: Sendable {
        let server: PrivatePostgres
        let address: PostgresAddress
        let gate = Gate()
        let hosts: [Spool]
        private let folders: [TemporaryFolder]
        /// A connection that looks at locks, and creates the initial state.
        let control: Mutex<PostgresConnection>

        init() async throws {
            server = try .shared()
            address = try PostgresAddress(server.address(database: try server.makeDatabase()))
            folders = [try TemporaryFolder(), try TemporaryFolder()]
            var options = PostgresOptions()
            options.beforeStatement = { [gate] in gate.pass($0, $1) }
            hosts = try zip(folders, ["a", "b"]).map { [address, options] folder, name in
                try Spool(
                    folder: folder.path("spool"), clock: Spool.systemTime,
                    medium: .postgres(address, host: name, options: options))
            }
            control = Mutex(try PostgresConnection.connect(to: address))
        }

        @discardableResult
        func query(_ sql: String) throws -> [PostgresRow] { try control.withLock { Array(try $0.query(sql)) } }

        /// Creates the initial state, and returns the number of the waiting job.
        func reset() async throws -> Int {
            try control.withLock {
                try $0.runScript(
                    """
                    DELETE FROM events; DELETE FROM jobs; DELETE FROM printers; DELETE FROM leases;
                    UPDATE hosts SET is_draining = false
                    """)
            }
            for name in ["p", "r"] {
                try await hosts[1].addPrinter(ConfiguredPrinter(name: name, deviceURI: "ipp://localhost/\(name)"))
            }
            try query("INSERT INTO placements (printer, preferred_host) VALUES ('p', 'a'), ('r', 'a')")
            try await renew()
            return try await hosts[1].submit("old", to: "p").id
        }

        func renew() async throws { for host in hosts { try await host.renewLeases() } }
    }

    /// Stops the first operation before a statement.
    private final class Gate: Sendable {
        private struct State {
            var isArmed = false
            /// The server process of the operation; nil before its first statement.
            var process: Int?
            var statements: [String] = []
            var end = 0
            /// The operations that stop before each statement; nil if only one operation stops once.
            var turns: Turns?
        }

        /// Two operations that stop before each of their statements.
        private struct Turns {
            /// The server processes of the operations that have started.
            var processes: [Int] = []
            /// The statements before which operations wait, by server process.
            var waiting: [Int: DispatchSemaphore] = [:]
            /// The statements that were run, in order.
            var order: [String] = []
        }

        private let state = Mutex(State())
        private let mayPass = DispatchSemaphore(value: 0)

        /// Stops the next operation before the statement with the given number, from 0.
        func arm(at number: Int) { state.withLock { $0 = State(isArmed: true, end: number) } }

        /// The server process of a stopped operation; nil if the operation has not stopped.
        var stopped: Int? { state.withLock { $0.statements.count > $0.end ? $0.process : nil } }
        var statements: [String] { state.withLock { $0.statements } }

        /// Lets the operation continue, and stops no further operation.
        func open() {
            let isStopped = stopped != nil
            state.withLock { $0.isArmed = false }
            if isStopped { mayPass.signal() }
        }

        /// Stops the operations of two processes before each statement.
        func armTurns() { state.withLock { $0 = State(turns: Turns()) } }

        /// The operations that have stopped before a statement.
        var stoppedProcesses: [Int] { state.withLock { $0.turns?.waiting.keys.sorted() ?? [] } }
        /// The operations that have started, in order, and their statements in the order of their start.
        var schedule: (processes: [Int], order: [String]) {
            state.withLock { ($0.turns?.processes ?? [], $0.turns?.order ?? []) }
        }

        /// Lets an operation run its next statement.
        func step(_ process: Int) { state.withLock { $0.turns?.waiting.removeValue(forKey: process) }?.signal() }

        /// Lets both operations run to their end.
        func endTurns() {
            for turn in state.withLock({ state in
                defer { state.turns = nil }
                return Array((state.turns?.waiting ?? [:]).values)
            }) { turn.signal() }
        }

        /// Returns the semaphore at which an operation waits for its turn; nil if the operation does not stop.
        private func turn(of process: Int, _ sql: String) -> DispatchSemaphore? {
            state.withLock { state in
                guard state.turns != nil else { return nil }
                let turn = DispatchSemaphore(value: 0)
                if state.turns?.processes.contains(process) == false { state.turns?.processes.append(process) }
                state.turns?.waiting[process] = turn
                state.turns?.order.append("\(process): \(sql.prefix(40))")
                return turn
            }
        }

        func pass(_ process: Int, _ sql: String) {
            // Notifications and polls are not part of an operation.
            guard !sql.contains("pg_notify"), !sql.hasPrefix("SELECT GREATEST") else { return }
            if let turn = turn(of: process, sql) { return turn.wait() }
            let mustStop = state.withLock { state in
                guard state.isArmed, state.process ?? process == process else { return false }
                state.process = process
                state.statements.append(sql)
                return state.statements.count == state.end + 1
            }
            if mustStop { mayPass.wait() }
        }
    }

    private static func run(_ step: Step, on host: Int, in world: World, job: Int) async -> Outcome {
        let spool = world.hosts[host]
        do throws(any Error) {
            switch step {
            case .submit: return .job(try await spool.submit("new", to: "r").id)
            case .create:
                return .job(try await spool.createJob(Submission(printer: "r", owner: "ada", name: "made")).id)
            case .claim: return .claimed(try await spool.claimAll(fromPrinters: ["p", "r"]))
            case .move: try await spool.update(job, printer: "r")
            case .cancel: try await spool.change(job, .cancelRequested(byOperator: false))
            case .add:
                var change = PrinterChange(deviceURI: "ipp://localhost/n")
                change.mustBeNew = true
                try await spool.addOrModifyPrinter(named: "n", change)
            case .modify: for name in ["p", "r"] { try await spool.modify(name, info: "changed") }
            case .pause: try await spool.pausePrinter(named: "p")
            case .remove: try await spool.removePrinter(named: "r")
            case .place: try await spool.changeHosts(.move(printer: "r", host: "b"))
            case .drain:
                try await spool.setDraining(true, host: "a")
                if host == 0 { try await spool.renewLeases() }
            }
            return .done
        } catch {
            return .refused(error as? SpoolError ?? SpoolError(code: .corrupt, message: "\(error)"))
        }
    }

    /// Runs two operations that overlap; returns nil if the first operation has fewer statements.
    private func overlap(
        _ first: Step, _ second: Step, at statement: Int, in world: World
    ) async throws -> (outcomes: [Outcome], job: Int, statements: [String])? {
        let job = try await world.reset()
        let host = first.isOnA ? 0 : second.isOnA ? 1 : 0
        world.gate.arm(at: statement)
        let hasEnded = Atomic(false)
        async let earlier: Outcome = {
            defer { hasEnded.store(true, ordering: .releasing) }
            return await Self.run(first, on: host, in: world, job: job)
        }()
        try await eventually("\(first) stops", every: .milliseconds(1)) {
            world.gate.stopped != nil || hasEnded.load(ordering: .acquiring)
        }
        guard let process = world.gate.stopped else {
            world.gate.open()
            _ = await earlier
            return nil
        }
        let hasSecondEnded = Atomic(false)
        async let later: Outcome = {
            defer { hasSecondEnded.store(true, ordering: .releasing) }
            // Two writes of one host would wait for each other in the host.
            return await Self.run(
                second, on: second.isOnA && first != second ? 0 : 1 - host, in: world, job: job)
        }()
        try await eventually("\(second) ends or waits", every: .milliseconds(2)) {
            if hasSecondEnded.load(ordering: .acquiring) { return true }
            let waits = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE \(process) = ANY (pg_blocking_pids(pid)))"
            return try world.query(waits)[0].bool(0)
        }
        let statements = world.gate.statements
        world.gate.open()
        return ([await earlier, await later], job, statements)
    }

    /// The errors that a person can understand and act on.
    private static let expected: Set<SpoolError.Code> = [
        .noSuchPrinter, .noSuchJob, .printerExists, .notPossible, .notAccepting,
    ]

    /// Checks the state after both operations, and prints the remaining jobs.
    private func check(_ steps: [Step], _ outcomes: [Outcome], job: Int, in world: World, _ place: String) async throws
    {
        for outcome in outcomes {
            if case .refused(let error) = outcome { #expect(Self.expected.contains(error.code), "\(place): \(error)") }
        }
        let (a, b) = (world.hosts[0], world.hosts[1])
        func succeeded(_ step: Step) -> Bool {
            zip(steps, outcomes).contains { $0 == step && !$1.isRefused }
        }
        if steps == [.add, .add] {
            #expect(outcomes.count(where: \.isRefused) == 1, "\(place): both hosts have added the printer")
        }
        // Lost updates.
        let printers = try await b.printersNow()
        for printer in printers where printer.name != "n" && succeeded(.modify) {
            #expect(printer.info == "changed", "\(place): the change of '\(printer.name)' is lost")
        }
        if succeeded(.pause) { #expect(printers.first?.isPaused == true, "\(place): the pause is lost") }
        if succeeded(.remove) { #expect(!printers.contains { $0.name == "r" }, "\(place): 'r' was not removed") }
        let old = try #require(try await b.job(job))
        if succeeded(.cancel) {
            let isCanceled = old.state == .canceled || old.reasons.contains(.processingToStopPoint)
            #expect(isCanceled, "\(place): the cancellation is lost: \(old.state)")
        } else if succeeded(.move), !succeeded(.claim) {
            #expect(old.printer == "r", "\(place): the move is lost")
        }
        // Each unfinished job has a printer.
        let names = Set(printers.map(\.name))
        for job in try await b.jobs() {
            #expect(names.contains(job.printer), "\(place): job \(job.id) waits at a printer that does not exist")
        }
        // Each job in progress belongs to the process that holds the lease of its printer, so that it continues.
        for _ in 0..<2 { try await world.renew() }
        let stray = try world.query(
            """
            SELECT jobs.id FROM jobs LEFT JOIN leases
                ON (leases.printer, leases.epoch, leases.incarnation)
                    = (jobs.printer, jobs.lease_epoch, jobs.lease_incarnation)
            WHERE jobs.state = 5 AND leases.printer IS NULL
            """)
        #expect(stray.isEmpty, "\(place): a job in progress has no host")
        // Each job is started once, and ends.
        var started: [Int] = []
        for outcome in outcomes {
            guard case .claimed(let jobs) = outcome else { continue }
            for job in jobs {
                started.append(job.id)
                #expect(try await b.job(job.id)?.printer == job.printer, "\(place): the started job was moved")
            }
        }
        if names.contains("p") { try await b.resumePrinter(named: "p") }
        for id in Set(started) { try await end(id, in: world) }
        for host in [a, b, a, b] {
            try await world.renew()
            for job in try await host.claimAll(fromPrinters: ["p", "r"]) {
                started.append(job.id)
                try await end(job.id, in: world)
            }
        }
        #expect(started.count == Set(started).count, "\(place): a job was started twice: \(started)")
        for job in try await b.jobs() where !job.reasons.contains(.jobIncoming) {
            Issue.record("\(place): job \(job.id) is stuck: \(job.state) at \(job.printer)")
        }
    }

    /// Ends a job in progress as the holder of its lease does.
    private func end(_ id: Int, in world: World) async throws {
        guard let job = try await world.hosts[0].job(id), !job.state.isTerminal else { return }
        let event: JobStateMachine.Event =
            job.reasons.contains(.processingToStopPoint) ? .backendStopped : .delivered(warning: nil)
        for host in world.hosts {
            guard let lease = host.leases[job.printer] else { continue }
            do throws(SpoolError) {
                try await host.change(id, event, under: lease)
                return
            } catch { guard error.code == .leaseLost else { throw error } }
        }
    }

    @Test func `two operations of different hosts that overlap at any statement leave no stuck job and no lost update`()
        async throws
    {
        let world = try await World()
        var counts: [Step: Int] = [:]
        for step in Step.allCases {
            // The first run opens the connections.
            for _ in 0..<2 {
                _ = try await overlap(step, .cancel, at: 1000, in: world)
                counts[step] = world.gate.statements.count
            }
        }
        var overlaps = 0
        for first in Step.allCases {
            for second in Step.allCases {
                let last = (counts[first] ?? 1) - 1
                for statement in TestRun.isLong ? Array(0...last) : Array(Set([last / 2, last])).sorted() {
                    guard let result = try await overlap(first, second, at: statement, in: world) else { continue }
                    overlaps += 1
                    let place = "\(first) before '\(result.statements.last?.prefix(60) ?? "")', and \(second)"
                    try await check([first, second], result.outcomes, job: result.job, in: world, place)
                }
            }
        }
        #expect(overlaps >= Step.allCases.count * Step.allCases.count, "\(overlaps) overlaps")
    }
}

extension TransactionPairTests {
    /// The number of operations that have ended.
    private final class Ended: Sendable {
        let count = Atomic(0)
    }

    /// Runs two operations at the same time, and chooses before each statement at random which operation continues.
    ///
    /// An operation that waits for a lock of the other operation continues when the server grants the lock.
    private func interleave(
        _ first: Step, _ second: Step, in world: World, _ random: inout SeededRandom
    ) async throws -> (outcomes: [Outcome], job: Int, order: [String]) {
        let job = try await world.reset()
        let host = first.isOnA ? 0 : second.isOnA ? 1 : 0
        let ended = Ended()
        world.gate.armTurns()
        async let earlier: Outcome = {
            defer { ended.count.add(1, ordering: .acquiringAndReleasing) }
            return await Self.run(first, on: host, in: world, job: job)
        }()
        async let later: Outcome = {
            defer { ended.count.add(1, ordering: .acquiringAndReleasing) }
            return await Self.run(second, on: second.isOnA && first != second ? 0 : 1 - host, in: world, job: job)
        }()
        while ended.count.load(ordering: .acquiring) < 2 {
            // Each operation has stopped, has ended, or waits for a lock.
            try await eventually("\(first) and \(second) stop", every: .milliseconds(1)) {
                let stopped = world.gate.stoppedProcesses.count
                if ended.count.load(ordering: .acquiring) + stopped >= 2 { return true }
                guard stopped > 0 else { return false }
                return try world.query(
                    """
                    SELECT EXISTS (SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND pg_blocking_pids(pid) && ARRAY[\(
                            world.gate.stoppedProcesses.map(String.init).joined(separator: ", "))])
                    """)[0].bool(0)
            }
            if let process = world.gate.stoppedProcesses.randomElement(using: &random) { world.gate.step(process) }
        }
        let order = world.gate.schedule.order
        world.gate.endTurns()
        return ([await earlier, await later], job, order)
    }

    @Test func `operations of hosts whose statements interleave at random leave no stuck job`()
        async throws
    {
        let world = try await World()
        let seed = UInt64.random(in: 1...1_000_000)
        var random = SeededRandom(seed: seed)
        var switches = 0
        for _ in 0..<(TestRun.isLong ? 2000 : 60) {
            let (first, second) = (Self.step(&random), Self.step(&random))
            let result = try await interleave(first, second, in: world, &random)
            let processes = result.order.map { $0.prefix { $0 != ":" } }
            switches += zip(processes, processes.dropFirst()).count { $0 != $1 }
            let place = "seed \(seed), \(first) and \(second): \(result.order)"
            try await check([first, second], result.outcomes, job: result.job, in: world, place)
        }
        #expect(switches > 120, "\(switches) changes between the operations")
    }

    private static func step(_ random: inout SeededRandom) -> Step {
        Step.allCases.randomElement(using: &random) ?? .submit
    }
}

extension Spool {
    fileprivate func modify(_ name: String, info: String) async throws {
        do throws(SpoolError) {
            try await addOrModifyPrinter(named: name, PrinterChange(info: info))
        } catch {
            // The other operation may have removed the printer `r`.
            guard name == "r", error.code == .noSuchPrinter else { throw error }
        }
    }

    /// Returns the printers without the cache.
    fileprivate func printersNow() async throws -> [ConfiguredPrinter] { try await read { try $0.printers() } }
}
