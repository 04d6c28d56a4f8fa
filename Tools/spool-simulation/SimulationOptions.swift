// Parses the command line of spool-simulation.

import Glibc

/// The database of a simulation.
enum Store: String {
    /// One host with an SQLite database on its disk.
    case sqlite
    /// Several hosts that share a model of a PostgreSQL server.
    case postgresql
}

/// The options of spool-simulation.
struct SimulationOptions {
    static let usage = """
        usage: spool-simulation --seeds FIRST-LAST | --seed N | --known | --list-known
               [--store sqlite|postgresql] [--jobs N] [--trace] [--sabotage NAME]

        """

    private(set) var seeds: [UInt64] = []
    private(set) var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    private(set) var isTraced = false
    private(set) var isListing = false
    private(set) var sabotage: Sabotage?
    private(set) var store = Store.sqlite

    /// Parses a command line; returns nil if the command line is invalid.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        var isKnown = false
        while !rest.isEmpty {
            let name = rest.removeFirst()
            switch name {
            case "--trace": isTraced = true
            case "--known": isKnown = true
            case "--list-known": isListing = true
            case "--seeds", "--seed", "--store", "--jobs", "--sabotage":
                guard !rest.isEmpty, take(name, rest.removeFirst()) else { return nil }
            default: return nil
            }
        }
        if isKnown { seeds += KnownSeed.all.filter { $0.store == store }.map(\.number) }
        guard isListing || !seeds.isEmpty else { return nil }
        if isTraced { jobs = 1 }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--seeds", "--seed":
            let bounds = value.split(separator: "-").map { UInt64($0) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, first <= last else { return false }
            seeds += Array(first...last)
        case "--store":
            guard let known = Store(rawValue: value) else { return false }
            store = known
        case "--jobs":
            guard let number = Int(value), number > 0 else { return false }
            jobs = number
        default:
            guard let known = Sabotage(rawValue: value) else { return false }
            sabotage = known
        }
        return true
    }
}
