// The command line.

/// What to try, and how long.
struct Options {
    enum Trial: String, CaseIterable {
        case crash, matrix, leaks
        case fullDisk = "full-disk"
        case silentPrinters = "silent-printers"
    }

    var trial: Trial
    /// How many rounds to go.
    var rounds = 20
    /// How many cells of the matrix to try; nil for all of them.
    var cells: Int?
    /// Which table of the matrix to try; nil for both.
    var way: CrashMatrix.Way?
    /// The only cell to try, such as `cups-3-1`; nil for all.
    var cell: String?
    /// How many jobs to print.
    var jobs = 300
    /// How many jobs to print before that.
    var warmUp = 100
    /// Where chance begins.
    var seed: UInt64 = 1
    /// Where to work; nil for a temporary folder.
    var folder: String?
    var isJSON = false
    /// Whether we are in a mount namespace of our own.
    var isInside = false

    /// Why the command line is wrong.
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
            guard rest.count > 1 else { throw Wrong(description: "\(name) takes a value") }
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
        case ("--inside", _): isInside = value == "yes"
        case ("--report", _) where ["json", "text"].contains(value): isJSON = value == "json"
        default: throw Wrong(description: "\(name) \(value) is nothing that can be asked for")
        }
    }
}
