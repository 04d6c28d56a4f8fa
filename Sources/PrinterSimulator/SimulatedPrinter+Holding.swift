// What people ask of jobs that wait: hold them, release them, change them, forget those that have ended.

package import PrintModel

extension SimulatedPrinter {
    /// Keeps a job from being printed until it is released, or until its moment comes (IPP Hold-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` once the printer has taken it up.
    package func holdJob(_ id: Int, until hold: HoldUntil) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.keep(until: hold) }
    }

    /// Lets a held job be printed (IPP Release-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` when it has ended.
    package func releaseJob(_ id: Int) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.release() }
    }

    /// Changes what a waiting job asks for (IPP Set-Job-Attributes).
    ///
    /// - Throws: `noSuchJob`; `notPossible` once the printer has taken it up.
    package func changeJob(_ id: Int, to request: SimulatedJobRequest) throws(SimulatorError) {
        let printer = description
        try alter(id) { job throws(SimulatorError) in try job.ask(request, of: printer) }
        note(jobs[id]?.event("job-config-changed"))
    }

    /// Forgets the jobs that have ended, and those that do from here on, up to the newest (IPP Purge-Jobs); their folders
    /// stay.
    package func purgeJobs() {
        memory.purgedThrough = memory.nextJobID - 1
        for id in history { jobs[id] = nil }
        history = []
        remember()
    }

    /// When the next held job is to be released; nil when none is.
    var nextRelease: UnixTime? { unfinishedJobs.compactMap(\.releaseTime).min() }

    /// Releases the held jobs whose moment has come.
    func releaseDueJobs() {
        let now = surroundings.now()
        for job in unfinishedJobs where job.releaseTime.map({ $0 <= now }) ?? false { try? releaseJob(job.id) }
    }

    private func alter(
        _ id: Int, _ body: (inout SimulatedJob) throws(SimulatorError) -> Void
    ) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        try body(&job)
        guard job != jobs[id] else { return }
        // A job in the printer's hands is written as it goes on.
        if current?.job != id { try folder.write(JobReport(job: job, printer: description.name)) }
        change(job)
        ring()
    }
}

extension SimulatedJob {
    /// The moment at which it is released by itself; nil when it waits for none.
    fileprivate var releaseTime: UnixTime? {
        guard isHeld, case .time(let moment) = hold else { return nil }
        return moment
    }
}
