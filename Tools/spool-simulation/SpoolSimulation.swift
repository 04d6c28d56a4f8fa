// Simulates a spooler, printers, users and faults in many small simulations.

import Dispatch
import Glibc
import PrintSpool
import SimulatedDatabase
import Synchronization

/// The command `spool-simulation`: runs the simulations of a range of seeds and prints the violations.
///
///     spool-simulation --seeds 1-2000 [--store sqlite|postgresql] [--jobs N] [--sabotage NAME]
///     spool-simulation --seed 17 --trace
///
/// The exit code is 1 if a check failed, and 64 for a wrong command line.
@main
enum SpoolSimulation {
    static func main() {
        repeatHashing()
        guard let options = SimulationOptions(CommandLine.arguments.dropFirst()) else {
            complain(SimulationOptions.usage)
            exit(64)
        }
        if options.isListing {
            for seed in KnownSeed.all { print(seed.store.rawValue, seed.number, seed.found) }
            return
        }
        let start = ContinuousClock.now
        let summary = Mutex(Summary())
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
            var database: MemoryDatabase?
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < options.seeds.count else { return }
                let life = Life(
                    seed: options.seeds[index], store: options.store, in: &database, isTraced: options.isTraced,
                    sabotage: options.sabotage)
                summary.withLock { $0.add(life) }
            }
        }
        let seconds = ContinuousClock.now - start
        let isWell = summary.withLock { summary in
            print(summary.words(after: seconds, jobs: options.jobs, isSingle: options.seeds.count == 1))
            return summary.failures.isEmpty
        }
        exit(isWell ? 0 : 1)
    }

    private static func complain(_ words: String) { _ = words.withCString { write(2, $0, strlen($0)) } }

    /// Restarts this program with deterministic hashing, so that sets and dictionaries have a repeatable order.
    private static func repeatHashing() {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil else { return }
        setenv(name, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        complain("spool-simulation: cannot restart itself: \(String(cString: strerror(errno)))\n")
        exit(71)
    }
}

/// The result of one simulation.
struct Life: Sendable {
    let seed: UInt64
    let violations: [String]
    let counts: [Int]
    let hash: UInt64
    let steps: Int
    let seconds: Double

    /// Runs a simulation in `database`.
    ///
    /// The next simulation can reuse the database if this simulation ended without violations.
    init(seed: UInt64, store: Store, in database: inout MemoryDatabase?, isTraced: Bool, sabotage: Sabotage?) {
        self.seed = seed
        let trace = Trace(isSpoken: isTraced)
        do {
            let place = try database ?? MemoryDatabase()
            database = nil
            let simulation = try Simulation(
                seed: seed, store: store, database: place, trace: trace, sabotage: sabotage)
            violations = simulation.run()
            if violations.isEmpty { database = place }
            steps = simulation.loop.steps
            seconds = simulation.loop.now
        } catch {
            violations = ["cannot create the simulation: \(error)"]
            (steps, seconds) = (0, 0)
        }
        counts = trace.counts
        hash = trace.hash
    }
}
