// Defines the parameters of a simulation of several hosts.

import PrintSpool

/// The parameters of several hosts that share a database server.
struct SharedTemper {
    let hosts: Int
    /// The duration of the phase with faults, in seconds; often longer than several leases.
    let troubledSeconds: Double
    let ordersPerClient: Int
    /// The frequency of stopped hosts.
    let stops: Double
    /// The probability that a connection to the server is lost at a commit or at a request about leases.
    let connectionTrouble: Double
    /// The frequency of interruptions of the network between a host and the server.
    let networkTrouble: Double
    /// The frequency of crashes and failovers of the server.
    let serverTrouble: Double
    let lostNotifications: Double
    /// The probability that a transaction of another host runs before a statement of a transaction.
    let interruptions: Double
    /// The frequency of administrators' changes: drain, move, restrict.
    let administration: Double

    init(_ dice: Dice) {
        func trouble(_ most: Double, absent: Double = 0.4) -> Double {
            dice.chance(absent) ? 0 : most * dice.fraction()
        }
        hosts = dice.pick([2, 2, 3])
        troubledSeconds = dice.pick([20, 60, 120])
        ordersPerClient = dice.number(2...4)
        stops = trouble(1, absent: 0.2)
        connectionTrouble = trouble(0.2)
        networkTrouble = trouble(1)
        serverTrouble = trouble(1)
        lostNotifications = dice.pick([0, 0.3, 1])
        administration = trouble(1)
        interruptions = dice.pick([0, 0.5, 0.9])
    }
}
