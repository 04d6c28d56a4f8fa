// Simulates a machine with a disk, on which the spooler's process runs.

import Glibc
import PrintSpool
import SimulatedDatabase
import SimulatedDisk

/// A simulated machine: its disk, its network, and the process of the spooler, which is started again after a crash.
final class SimulatedHost: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    /// The types of steps at which a process can be killed or stopped.
    enum FusePoint { case step, commit, committed, fileCall, request }

    /// The event at a fuse.
    enum FuseEffect {
        case kill
        /// The process is stopped for a number of seconds, as by SIGSTOP.
        case stop(seconds: Double)
    }

    let name: String
    private unowned let simulation: Simulation
    let disk = SimulatedDisk()
    /// The running process; nil between a crash and the next start.
    var process: SpoolerProcess?
    /// The failure of disk calls, and its probability.
    var diskTrouble: (failure: MemoryDatabase.CommitFailure, probability: Double)?
    /// The type of step at which the process will be killed or stopped, and the number of such steps before that.
    var fuseAt: (point: FusePoint, count: Int, effect: FuseEffect)?
    /// The time until which the host cannot reach the database server.
    var cutOffUntil = 0.0

    private var loop: Loop { simulation.loop }
    private var dice: Dice { simulation.dice }

    init(name: String, simulation: Simulation) {
        self.name = name
        self.simulation = simulation
    }

    /// Starts a process.
    ///
    /// If the start fails, repeats the start after a delay, as service managers do.
    func boot() {
        guard process == nil else { return }
        let process = SpoolerProcess(number: simulation.processes.count, simulation: simulation, host: self)
        self.process = process
        simulation.processes.append(process)
        do {
            try process.start()
            guard process.isAlive else { return }
            simulation.note(.boot)
        } catch {
            simulation.note(.bootFailed, "\(error)")
            process.die()
            self.process = nil
            loop.after(1) { [self] in boot() }
        }
    }

    /// Kills the process, possibly by a power cut; another process starts after a delay.
    func kill(_ how: Happening) {
        guard let process else { return }
        simulation.note(how, simulation.isShared ? name : "")
        process.die()
        self.process = nil
        if dice.chance(simulation.temper.powerCuts) {
            simulation.note(.powerCut)
            disk.cutPower { dice.chance(0.5) }
            if !simulation.isShared { simulation.cutPowerOfDatabase() }
        }
        loop.after(dice.seconds(0.01...20)) { [self] in
            simulation.sabotage?.beforeBoot(of: simulation)
            boot()
        }
    }

    /// Shuts the process down in order.
    func end() async {
        let process = process
        await process?.end()
        if self.process === process { self.process = nil }
    }

    /// Stops the process for a number of seconds, as SIGSTOP or a frozen virtual machine does.
    func stop(for seconds: Double) {
        guard let process, let steps = process.steps, !steps.isStopped else { return }
        simulation.note(.hostStopped, "\(name) for \(seconds) s")
        steps.stop()
        loop.after(seconds) { [self] in goOn(process) }
    }

    /// Continues a stopped process.
    func goOn(_ process: SpoolerProcess?) {
        guard let process, let steps = process.steps, steps.isStopped else { return }
        simulation.note(.hostContinued, name)
        steps.goOn()
    }

    /// Counts a step of a type, and kills or stops the process when the count of the fuse is reached.
    func fuse(_ point: FusePoint) {
        guard let fuse = fuseAt, fuse.point == point, process != nil else { return }
        guard fuse.count <= 0 else {
            fuseAt = (point, fuse.count - 1, fuse.effect)
            return
        }
        fuseAt = nil
        if case .stop(let seconds) = fuse.effect { return stop(for: seconds) }
        switch point {
        case .step: kill(.killed)
        case .commit: kill(.killedBeforeCommit)
        case .committed: kill(.killedAfterCommit)
        case .fileCall: kill(.killedAtFileCall)
        case .request: kill(.killedAtRequest)
        }
    }

    /// Returns the `errno` with which a file call fails; nil if the call succeeds.
    func fault(at call: String, _ path: String) -> Int32? {
        fuse(.fileCall)
        if simulation.sabotage == .forgetSync && call == "fsync" { return 0 }
        guard simulation.isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        simulation.note(.failedFileCall, "\(call) \(path)")
        return trouble.failure.errno
    }

    /// Returns the error with which a commit fails; nil if the commit succeeds.
    func commitFailure() -> MemoryDatabase.CommitFailure? {
        guard simulation.isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        simulation.note(.refusedCommit)
        return trouble.failure
    }
}

extension MemoryDatabase.CommitFailure {
    /// The `errno` of a file call for the same fault.
    fileprivate var errno: Int32 {
        switch self {
        case .full: ENOSPC
        case .inputOutput, .dead: EIO
        }
    }
}
