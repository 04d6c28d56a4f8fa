// One side after another comes out, when the printer can print it.

import PrintModel

extension SimulatedPrinter {
    /// Waits at a side's edge until the printer can print it; false when the job is canceled or the task is.
    func untilReady(for side: SideSequence.Side, of id: Int) async -> Bool {
        if !isBlank(side) { meetFaults(ofJob: id) }
        while !Task.isCancelled, !isOff, var job = jobs[id], !job.isStopping {
            obstacle = side.opensSheet ? stockObstacle(to: job) : nil
            guard let stop = stops.first else {
                current?.isMoving = true
                let wasStopped = job.state == .processingStopped
                job.goOn()
                change(job)
                if wasStopped { tell(.printerChanged) }
                return true
            }
            current?.isMoving = false
            if job.state != .processingStopped || job.message != stop.message {
                job.stop(for: stop)
                change(job)
                tell(.printerChanged)
            }
            await untilBell()
        }
        obstacle = nil
        return false
    }

    /// What keeps a sheet for the job from being fed.
    func stockObstacle(to job: SimulatedJob) -> StopCondition? {
        memory.stock.obstacle(
            to: job.options.paper, from: job.options.mediaSource, isColor: isColor(job), at: description)
    }

    /// A side has been printed; false when the printer is switched off before that is written down.
    func printed(
        _ side: SideSequence.Side, in sides: SideSequence, of id: Int
    ) async throws(SimulatorError) -> Bool {
        guard var job = jobs[id] else { return true }
        let isFromRoll = memory.stock.isFromRoll(job.options.paper, from: job.options.mediaSource, at: description)
        if side.opensSheet {
            memory.stock.drawSheet(of: job.options.paper, from: job.options.mediaSource, at: description)
        }
        if let page = side.page, let current, !current.pagesOut.contains(page) {
            try folder.putOut(current.pages[page - 1].file, of: job.folder)
            self.current?.pagesOut.insert(page)
        }
        if !isBlank(side) {
            memory.stock.printSide(isColor: isColor(job), at: description)
            job.impressionsCompleted += 1
        }
        job.sidesCompleted += 1
        if side.closesSheet {
            job.sheetsCompleted += 1
            memory.stock.putOutSheet()
            if isFromRoll {
                job.pieces.comeOut(job.options.paper)
                if job.rollCut.isDue(after: side, isLast: job.sidesCompleted == sides.count) { job.pieces.cut() }
            }
        }
        memory.printing = .init(
            job: id, impressionsCompleted: job.impressionsCompleted, sheetsCompleted: job.sheetsCompleted,
            pieces: job.pieces.isEmpty ? nil : job.pieces)
        change(job)
        return try await withRoom(
            for: id, isPatient: true, { () throws(SimulatorError) in try folder.remember(memory) })
            != nil
    }

    /// A sheet whose front is printed comes out when the job is called off before its back.
    func putOutHalfSheet(of id: Int, before side: SideSequence.Side) throws(SimulatorError) {
        guard !side.opensSheet, var job = jobs[id] else { return }
        job.sheetsCompleted += 1
        memory.stock.putOutSheet()
        change(job)
    }

    /// Whether nothing is printed on a side: a back without a page, or with a page that has nothing on it.
    func isBlank(_ side: SideSequence.Side) -> Bool {
        guard let page = side.page, let current, page <= current.pages.count else { return true }
        return !side.opensSheet && current.pages[page - 1].isBlank
    }

    func isColor(_ job: SimulatedJob) -> Bool { description.isColor && job.options.colorMode != .monochrome }
}
