// Parses the command line.

/// The trial to run and its parameters.
struct TrialOptions {
    enum Trial: String, CaseIterable {
        case crash, matrix, leaks, upgrade, hosts, stranger
        case fullDisk = "full-disk"
        case silentPrinters = "silent-printers"
    }

    var trial: Trial
    /// The number of rounds.
    var rounds = 20
    /// The number of cells of the matrix to test; nil for all.
    var cells: Int?
    /// The table of the matrix to test; nil for both.
    var way: CrashMatrix.Way?
    /// The name of the only cell to test, such as `cups-3-1`; nil for all.
    var cell: String?
    /// The number of jobs to print.
    var jobs = 300
    /// The number of jobs to print before the measurements.
    var warmUp = 100
    /// The seed of the random numbers.
    var seed: UInt64 = 1
    /// The working folder; nil for a temporary folder.
    var folder: String?
    /// Whether commits of the trial with several hosts wait for the standby of the database.
    var isSynchronous = true
    /// The disk that the trial of a full disk fills.
    var disk = SmallDisk.Content.spool
    /// The file with the target of a stranger's attack; nil for standard input.
    var target: String?
    var isJSON = false
    /// Whether the program runs in a separate mount namespace.
    var isInside = false

    /// The error for a wrong command line.
    struct Wrong: Error, CustomStringConvertible { var description: String }

    init(_ arguments: some Sequence<String>) throws(Wrong) {
        var rest = Array(arguments)
        guard let trial = rest.first.flatMap(Trial.init) else {
            throw Wrong(description: "name a trial: \(Trial.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.trial = trial
        if trial == .matrix { rounds = 1 }
        if trial == .silentPrinters { rounds = 5 }
        rest.removeFirst()
        while let name = rest.first {
            guard rest.count > 1 else { throw Wrong(description: "\(name) requires a value") }
            try take(name, rest[1])
            rest.removeFirst(2)
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(Wrong) {
        switch (name, Int(value)) {
        case ("--rounds", let number?) where number > 0: rounds = number
        case ("--cells", let number?) where number > 0: cells = number
        case ("--way", _) where CrashMatrix.Way(rawValue: value) != nil: way = CrashMatrix.Way(rawValue: value)
        case ("--cell", _): cell = value
        case ("--jobs", let number?) where number >= 40: jobs = number
        case ("--warm-up", let number?) where number >= 0: warmUp = number
        case ("--seed", let number?) where number >= 0: seed = UInt64(number)
        case ("--folder", _): folder = value
        case ("--target", _): target = value
        case ("--standby", _) where ["synchronous", "asynchronous"].contains(value):
            isSynchronous = value == "synchronous"
        case ("--disk", _) where SmallDisk.Content(rawValue: value) != nil:
            disk = SmallDisk.Content(rawValue: value) ?? disk
        case ("--inside", _): isInside = value == "yes"
        case ("--report", _) where ["json", "text"].contains(value): isJSON = value == "json"
        default: throw Wrong(description: "invalid option or value: \(name) \(value)")
        }
    }
}
