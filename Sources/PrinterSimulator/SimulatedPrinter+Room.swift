// What a printer does when the disk of its output folder is full: it stops, says so, and goes on when there is room.

import PrintModel

extension SimulatedPrinter {
    /// Whether a fault leaves no room for more jobs.
    var isSpoolFull: Bool { active.contains { $0.fault.kind == .warning(Fault.spoolAreaFull) } }

    /// Refuses new jobs and documents while there is no room for them; a client tries again later.
    ///
    /// That is `server-error-temporary-error`, which RFC 8011 §B.1.5.6 has for a full disk. `server-error-too-many-jobs`
    /// (PWG 5100.5 §13) says that the client should not try again: it is for a policy, or a capacity that does not come
    /// back. `server-error-busy` and `server-error-not-accepting-jobs` would be said of a printer that takes nothing at
    /// all for other reasons.
    ///
    /// - Throws: `noSpace`.
    package func checkRoom() throws(SimulatorError) {
        guard isSpoolFull else { return }
        throw SimulatorError(
            .noSpace, "printer '\(description.name)' has no room for more jobs (spool-area-full); try again later")
    }

    /// How often it is looked whether there is room again.
    private static let patience = Duration.seconds(1)

    /// Does what needs room on the disk, as often as it takes to find some.
    ///
    /// - Parameter isPatient: whether it must be done though the job is called off.
    /// - Returns: nil when the task is cancelled before, or the job is called off.
    func withRoom<Value>(
        for id: Int, isPatient: Bool = false, _ body: () throws(SimulatorError) -> Value
    ) async throws(SimulatorError) -> Value? {
        while true {
            do throws(SimulatorError) {
                return try body()
            } catch {
                guard error.code == .noSpace else { throw error }
                guard await rest(for: .spoolAreaFull(error.message), of: id, isPatient: isPatient) else { return nil }
            }
        }
    }

    /// Stops for a while; false when the task is cancelled meanwhile, or the job is called off.
    func rest(for stop: StopCondition, of id: Int, isPatient: Bool = false) async -> Bool {
        obstacle = stop
        current?.isMoving = false
        if var job = jobs[id], !job.isStopping {
            job.stop(for: stop)
            change(job)
        }
        tell(.printerChanged)
        let isOver = (try? await surroundings.clock.sleep(for: Self.patience)) == nil
        obstacle = nil
        current?.isMoving = true
        if var job = jobs[id], job.state == .processingStopped {
            job.goOn()
            change(job)
        }
        tell(.printerChanged)
        return !isOver && (isPatient || jobs[id]?.isStopping != true)
    }
}
