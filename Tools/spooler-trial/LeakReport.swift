// Reports the resources of the daemons during many jobs.

import SpoolerTrials

struct LeakReport: TrialReport {
    /// The measurements at one moment.
    struct Sample {
        var printd: ProcessSample
        var printsim: ProcessSample
        var walKiB: Int
        var databaseKiB: Int
    }

    /// The medians of the second and the last quarter of a measurement.
    struct Course: Encodable {
        var before: Double
        var after: Double
    }

    var jobs: Int
    var warmUp: Int
    var seconds: Double
    var courses: [String: Course] = [:]
    var problems: [String] = []

    init(jobs: Int, warmUp: Int, seconds: Double, samples: [Sample], leftovers: [String]) {
        (self.jobs, self.warmUp, self.seconds) = (jobs, warmUp, seconds)
        for (name, daemon) in [("printd", \Sample.printd), ("printsim", \Sample.printsim)] {
            judge("\(name): open files", samples.map { $0[keyPath: daemon].files }, mayGrowBy: 2)
            // Thread pools grow up to a limit. One leaked thread for each job would exceed it by far.
            judge("\(name): threads", samples.map { $0[keyPath: daemon].threads }, mayGrowBy: 16)
            judge("\(name): zombies", samples.map { $0[keyPath: daemon].zombies }, mayGrowBy: 0)
            // The memory of allocators varies. A small leak for each job is detected after many jobs.
            judge(
                "\(name): KiB of memory", samples.map { $0[keyPath: daemon].memory },
                mayGrowBy: 3072 + Double(jobs) * Self.kibibytesPerJob)
        }
        judge("KiB of write-ahead log", samples.map(\.walKiB), mayBe: Self.longestLog)
        judge("KiB of database", samples.map(\.databaseKiB), mayGrowBy: 2048 + Double(min(jobs, 2000)) * 4)
        problems += leftovers.map { "unnecessary file: \($0)" }
    }

    /// The maximum memory growth for each job, in KiB, from the second quarter to the last.
    private static let kibibytesPerJob = 0.25

    /// The maximum size of the write-ahead log, in KiB.
    ///
    /// The log can have 16 MiB, twice as much while a reader is active, and half of that again while waiting for
    /// readers. The jobs that are written meanwhile are added.
    private static let longestLog = (48 + 4) * 1024

    private mutating func judge(_ what: String, _ values: [Int], mayGrowBy limit: Double) {
        let growth = note(what, values).growth
        if growth > limit { problems.append("\(what) grew by \(growth) over \(jobs) jobs") }
    }

    private mutating func judge(_ what: String, _ values: [Int], mayBe limit: Int) {
        note(what, values)
        if let most = values.max(), most > limit { problems.append("\(what): \(most) exceeds the limit of \(limit)") }
    }

    @discardableResult
    private mutating func note(_ what: String, _ values: [Int]) -> Flatness {
        let flatness = Flatness(values.map(Double.init))
        courses[what] = Course(before: flatness.before, after: flatness.after)
        return flatness
    }

    private enum CodingKeys: CodingKey { case jobs, warmUp, seconds, courses, problems }

    var text: String {
        let lines = courses.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.before) → \($0.value.after)" }
        return (["\(jobs) jobs after \(warmUp) in \(seconds) s"] + lines).joined(separator: "\n")
    }
}
