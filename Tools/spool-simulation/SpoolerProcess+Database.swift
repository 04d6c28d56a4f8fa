// Connects a process of a simulation to its database.

import PrintSpool
import SimulatedDatabase

extension SpoolerProcess: MemoryDatabase.Process {
    func schedule(_ work: @escaping @Sendable () -> Void) { post(work) }

    var failure: MemoryDatabase.CommitFailure? { isAlive ? nil : .dead }

    func willCommit() -> MemoryDatabase.CommitFailure? {
        host.fuse(.commit)
        guard isAlive else { return .dead }
        // The disk of a host is not the disk of the server.
        return simulation.isShared ? nil : host.commitFailure()
    }

    func didCommit() { simulation.committed(by: self) }
}

extension SpoolerProcess: SimulatedDatabaseServer.Client {
    private var dice: Dice { simulation.dice }
    private var loop: Loop { simulation.loop }

    /// The maximum time to wait for a connection for reads and writes, in seconds.
    private static let connectTimeout = 10.0
    /// The maximum time to wait for the answer about leases, in seconds.
    private static let answerTimeout = 3.0

    /// Whether messages of the host reach the server now.
    private var isConnected: Bool {
        loop.now >= host.cutOffUntil && simulation.server?.isRunning == true
    }

    func connect(_ work: @escaping @Sendable (Bool) -> Void) {
        guard isConnected else { return waitForConnection(until: loop.now + Self.connectTimeout, work) }
        // Most requests use a connection that is open.
        let delay = dice.chance(0.2) ? dice.seconds(0...0.2) : 0
        if delay == 0 { return post { [self] in work(isConnected) } }
        loop.after(delay) { [self] in post { [self] in work(isConnected) } }
    }

    private func waitForConnection(until deadline: Double, _ work: @escaping @Sendable (Bool) -> Void) {
        loop.after(0.5) { [self] in
            guard isAlive, !isConnected, loop.now < deadline else { return post { [self] in work(isConnected) } }
            waitForConnection(until: deadline, work)
        }
    }

    func request(
        arrive: @escaping @Sendable () -> Void, answer: @escaping @Sendable (Bool) -> Void
    ) {
        let isLost = simulation.isTroubled && dice.chance(simulation.sharedTemper.connectionTrouble)
        let arrives = !isLost || dice.chance(0.5)
        if isLost { simulation.note(.connectionLost, host.name) }
        loop.after(dice.seconds(0...0.5)) { [self] in
            let isConnected = isConnected
            // A request that was sent before the process died may still arrive.
            if isConnected, arrives, isAlive || dice.chance(0.5) { arrive() }
            let isAnswered = isConnected && !isLost
            loop.after(isAnswered ? dice.seconds(0...0.5) : dice.seconds(0...Self.answerTimeout)) { [self] in
                let isAnswered = isAnswered && self.isConnected
                post { [self] in
                    answer(isAnswered)
                    simulation.checkLeases()
                }
            }
        }
    }

    var isStopped: Bool { steps?.isStopped ?? false }

    func start(_ transaction: @escaping @Sendable () -> Void) {
        guard dice.chance(simulation.sharedTemper.interruptions) else { return post(transaction) }
        wait(dice.seconds(0...1), transaction)
    }

    func isInterrupted(beforeChange isChange: Bool) -> Bool {
        guard dice.chance(simulation.sharedTemper.interruptions * (isChange ? 1 : 0.2)) else { return false }
        simulation.note(.interrupted, host.name)
        return true
    }

    func fateOfCommit() -> SimulatedDatabaseServer.CommitFate {
        guard simulation.isTroubled, isAlive, dice.chance(simulation.sharedTemper.connectionTrouble)
        else { return .answered }
        guard dice.chance(0.6) else {
            simulation.note(.connectionLost, host.name)
            return .lost
        }
        let isCommitted = dice.chance(0.7)
        simulation.note(.outcomeUnknown, "\(host.name), \(isCommitted ? "committed" : "not committed")")
        return .unknown(isCommitted: isCommitted)
    }

    func notify(_ work: @escaping @Sendable () -> Void) {
        if simulation.isTroubled && dice.chance(simulation.sharedTemper.lostNotifications) {
            return simulation.note(.notificationLost, host.name)
        }
        guard isConnected else { return }
        loop.after(dice.seconds(0...0.3)) { [self] in post(work) }
    }

    func wait(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
        loop.after(seconds) { [self] in post(work) }
    }

    func read(_ path: String) -> [UInt8]? { isAlive ? host.disk.read(path) : nil }
}
