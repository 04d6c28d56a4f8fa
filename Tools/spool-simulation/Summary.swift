// Summarizes the results of many simulations.

/// The summary of many simulations.
struct Summary {
    private(set) var failures: [Life] = []
    private var lives = 0
    private var steps = 0
    private var seconds = 0.0
    private var counts = [Int](repeating: 0, count: Happening.allCases.count)
    private var hash: UInt64 = 0

    mutating func add(_ life: Life) {
        lives += 1
        steps += life.steps
        seconds += life.seconds
        hash ^= life.hash
        for index in counts.indices { counts[index] += life.counts[index] }
        if !life.violations.isEmpty { failures.append(life) }
    }

    /// Returns the summary as text for people.
    func words(after time: Duration, jobs: Int, isSingle: Bool) -> String {
        var lines: [String] = []
        for life in failures.sorted(by: { $0.seed < $1.seed }).prefix(20) {
            lines.append("seed \(life.seed):")
            lines += life.violations.map { "    \($0)" }
        }
        if failures.count > 20 { lines.append("… and \(failures.count - 20) more seeds") }
        let real = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        lines.append(
            "\(lives) seeds, \(failures.count) failed; \(Int(Double(lives) / max(real, 0.001))) seeds/s on \(jobs) cores, "
                + "\(steps / max(1, lives)) steps and \(Int(seconds) / max(1, lives)) virtual seconds a seed; "
                + "hash \(String(hash, radix: 16))")
        lines.append(zip(Happening.allCases, counts).map { "\($1) \($0.rawValue)" }.joined(separator: ", "))
        return lines.joined(separator: "\n")
    }
}
