// Defines the parameters of a simulation.

import PrintModel

/// The parameters of a simulation: the probabilities of the faults, which are often 0.
struct Temper {
    var printers: Int
    var clients: Int
    var ordersPerClient: Int
    /// The maximum duration of the phase with faults, in seconds.
    var troubledSeconds: Double
    /// The probability that a step other than the oldest runs next.
    var disorder: Double
    /// The probability that a request to a printer fails.
    var linkTrouble: Double
    /// The frequency of printer restarts, stops and aborted jobs.
    var printerTrouble: Double
    var workerTrouble: Double
    /// The probability that a response to a client is lost.
    var clientLoss: Double
    var crashes: Double
    var powerCuts: Double
    /// Whether a power cut reverts commits that were not fsynced.
    var isForgetful: Bool
    var diskTrouble: Double
    var clockJumps: Double
    /// The probability that a client changes a job after its submission.
    var meddling: Double
    var policies: [ConfiguredPrinter.ErrorPolicy]
    /// The setting for jobs that a printer aborts, by printer.
    var interruptions: [ConfiguredPrinter.AfterInterruption]

    init(_ dice: Dice) {
        /// Returns the strength of a fault, which is 0 in many simulations.
        func trouble(_ most: Double, absent: Double = 0.4) -> Double {
            dice.chance(absent) ? 0 : most * dice.fraction()
        }
        printers = dice.pick([1, 1, 2, 3])
        clients = dice.pick([1, 2, 2, 3])
        ordersPerClient = dice.number(1...3)
        troubledSeconds = dice.pick([10, 40, 120])
        disorder = dice.pick([0, 0.2, 0.6, 1])
        linkTrouble = trouble(0.3)
        printerTrouble = trouble(1)
        workerTrouble = trouble(0.3)
        clientLoss = trouble(0.3)
        crashes = trouble(1, absent: 0.2)
        powerCuts = dice.pick([0, 0.3, 1])
        isForgetful = powerCuts > 0 && dice.chance(0.5)
        diskTrouble = trouble(1, absent: 0.5)
        clockJumps = trouble(1, absent: 0.6)
        meddling = trouble(0.7, absent: 0.3)
        policies = (0..<printers).map { _ in dice.pick([.retryJob, .retryJob, .retryJob, .stopPrinter, .abortJob]) }
        interruptions = (0..<printers).map { _ in dice.pick([.ask, .ask, .continue, .continue, .abort]) }
    }
}
