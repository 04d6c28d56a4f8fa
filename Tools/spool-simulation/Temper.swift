// What kind of world a seed makes.

import PrintModel

/// What kind of world a seed makes: how much of each trouble it has, often none.
struct Temper {
    var printers: Int
    var clients: Int
    var ordersPerClient: Int
    /// How long troubles last at most before the calm, in seconds.
    var troubledSeconds: Double
    /// How often something else than the oldest step comes next.
    var disorder: Double
    /// How often a request to a printer goes wrong.
    var linkTrouble: Double
    /// How often a printer is restarted, stops, ends a job; weights of the chaos.
    var printerTrouble: Double
    var workerTrouble: Double
    /// How often an answer to a client is lost.
    var clientLoss: Double
    var crashes: Double
    var powerCuts: Double
    /// Whether a power cut takes back commits that were not forced onto the disk.
    var isForgetful: Bool
    var diskTrouble: Double
    var clockJumps: Double
    /// How often a client does something to a job beyond submitting it.
    var meddling: Double
    var policies: [ConfiguredPrinter.ErrorPolicy]
    /// What becomes of jobs that a printer gives up, by printer.
    var interruptions: [ConfiguredPrinter.AfterInterruption]

    init(_ dice: Dice) {
        /// A trouble that many worlds do not have.
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
