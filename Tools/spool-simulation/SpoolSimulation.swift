// spool-simulation: many small worlds of a spooler, printers, people and bad luck.

import Dispatch
import Glibc
import PrintSpool
import Synchronization

/// `spool-simulation`: lives through the worlds of a range of seeds, and says which of them went wrong.
///
///     spool-simulation --seeds 1-2000 [--jobs N] [--sabotage NAME]
///     spool-simulation --seed 17 --trace
///
/// It ends with 1 when something was wrong, with 64 when it was called wrongly.
@main
enum SpoolSimulation {
    static func main() {
        repeatHashing()
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            complain(Options.usage)
            exit(64)
        }
        if options.isListing {
            for seed in KnownSeed.all { print(seed.number, seed.found) }
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
                    seed: options.seeds[index], in: &database, isTraced: options.isTraced, sabotage: options.sabotage)
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

    /// Starts this program anew when sets and dictionaries would have another order each time.
    private static func repeatHashing() {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil else { return }
        setenv(name, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        complain("spool-simulation: cannot start itself again: \(String(cString: strerror(errno)))\n")
        exit(71)
    }
}

/// One world from beginning to end.
struct Life: Sendable {
    let seed: UInt64
    let violations: [String]
    let counts: [Int]
    let hash: UInt64
    let steps: Int
    let seconds: Double

    /// Lives through a world in `database`, which the next one can have when this one ended well.
    init(seed: UInt64, in database: inout MemoryDatabase?, isTraced: Bool, sabotage: Sabotage?) {
        self.seed = seed
        let trace = Trace(isSpoken: isTraced)
        do {
            let place = try database ?? MemoryDatabase()
            database = nil
            let world = try World(seed: seed, database: place, trace: trace, sabotage: sabotage)
            violations = world.run()
            if violations.isEmpty { database = place }
            steps = world.loop.steps
            seconds = world.loop.now
        } catch {
            violations = ["there is no world: \(error)"]
            (steps, seconds) = (0, 0)
        }
        counts = trace.counts
        hash = trace.hash
    }
}
