// The engine: job after job, side after side.

import PrintModel

extension SimulatedPrinter {
    /// Prints what comes until the task is cancelled; to be called once.
    ///
    /// A job that is being printed then is left as it is: the next start sees to it.
    package func run() async {
        while !Task.isCancelled {
            if let id = nextJob() {
                await print(id)
                if Task.isCancelled { return }
                current = nil
                obstacle = nil
                // Without power nothing is written down any more.
                if isOff {
                    tell(.printerChanged)
                    continue
                }
                memory.printing = nil
                remember()
                tell(.printerChanged)
            } else {
                await untilBell()
            }
        }
    }

    /// The job to print next, the first of the most urgent ones; nil while the printer is stopped or nothing waits.
    private func nextJob() -> Int? {
        releaseDueJobs()
        endDueFaults()
        for fault in faults.beginning() { begin(fault) }
        guard stops.isEmpty, !isOff else { return nil }
        let waiting = queue.filter { jobs[$0]?.state == .pending }
        let highest = waiting.compactMap { jobs[$0]?.priority }.max()
        return waiting.first { jobs[$0]?.priority == highest }
    }

    /// How a job ended; `switchedOff` when the printer was before that.
    enum Outcome { case completed, canceled, failed(WorkError), broken(SimulatorError), switchedOff }

    private func print(_ id: Int) async {
        guard var job = jobs[id] else { return }
        current = Current(job: id)
        job.begin(at: surroundings.now())
        change(job)
        tell(.printerChanged)

        let outcome = await outcome(of: id)
        guard var job = jobs[id] else { return }
        switch outcome {
        case .completed: job.complete(at: surroundings.now())
        case .canceled: job.endCanceled(at: surroundings.now())
        case .failed(let error): job.abort(error, at: surroundings.now())
        case .broken(let error): job.abort(.abortedBySystem, error.message, at: surroundings.now())
        case .switchedOff: return
        }
        let pages = current?.pages ?? []
        let ended = job
        do throws(SimulatorError) {
            // Not over before it is written down: switched off before that, the printer would not know how it ended.
            guard
                try await withRoom(
                    for: id, isPatient: true,
                    { () throws(SimulatorError) in
                        try record(ended, pages: pages)
                    }) != nil
            else { return }
        } catch {
            job.warnings.append(error.message)
        }
        conclude(job)
    }

    private func outcome(of id: Int) async -> Outcome {
        do throws(SimulatorError) {
            let document: RasterizedDocument
            switch try await read(id) {
            case .success(let made): document = made
            case .failure(let error):
                if Task.isCancelled { return .switchedOff }
                return jobs[id]?.isStopping == true ? .canceled : .failed(error)
            }
            guard let sides = try await withRoom(for: id, { () throws(SimulatorError) in try note(document, for: id) })
            else { return Task.isCancelled ? .switchedOff : .canceled }
            guard let sides else { return .canceled }
            for side in sides {
                guard await untilReady(for: side, of: id) else {
                    if Task.isCancelled || isOff { return .switchedOff }
                    try putOutHalfSheet(of: id, before: side)
                    return .canceled
                }
                if side.opensSheet, let failure = try await feed(side, of: id) { return failure }
                let interval = sideInterval
                if interval > .zero {
                    do { try await surroundings.clock.sleep(for: interval) } catch { return .switchedOff }
                } else {
                    await Task.yield()
                }
                guard try await printed(side, in: sides, of: id) else { return .switchedOff }
            }
            if let job = jobs[id] { try? folder.putOut("sheets.pdf", of: job.folder) }
            return .completed
        } catch {
            return .broken(error)
        }
    }
}
