// Prints jobs, side by side.

import PrintModel

extension SimulatedPrinter {
    /// Prints jobs until the task is canceled.
    ///
    /// Call this function only once.
    ///
    /// If the task is canceled while a job is printing, the job is restored at the next start.
    package func run() async {
        while !Task.isCancelled {
            if let id = nextJob() {
                await print(id)
                if Task.isCancelled { return }
                current = nil
                currentStop = nil
                // A printer without power stores nothing.
                if isOff {
                    tell(.printerChanged)
                    continue
                }
                memory.printing = nil
                remember()
                tell(.printerChanged)
            } else {
                await untilWake()
            }
        }
    }

    /// Returns the number of the next job: the first job with the highest priority; nil if the printer is stopped or no
    /// job is waiting.
    private func nextJob() -> Int? {
        releaseDueJobs()
        endDueFaults()
        for fault in faults.beginning() { begin(fault) }
        guard stops.isEmpty, !isOff else { return nil }
        let waiting = queue.filter { jobs[$0]?.state == .pending }
        let highest = waiting.compactMap { jobs[$0]?.priority }.max()
        return waiting.first { jobs[$0]?.priority == highest }
    }

    /// The outcome is `switchedOff` if the printer was switched off before the job ended.
    enum Outcome { case completed, canceled, failed(WorkError), broken(SimulatorError), switchedOff }

    private func print(_ id: Int) async {
        guard var job = jobs[id] else { return }
        current = Current(job: id)
        job.begin(at: environment.now())
        change(job)
        tell(.printerChanged)

        let outcome = await outcome(of: id)
        guard var job = jobs[id] else { return }
        switch outcome {
        case .completed: job.complete(at: environment.now())
        case .canceled: job.endCanceled(at: environment.now())
        case .failed(let error): job.abort(error, at: environment.now())
        case .broken(let error): job.abort(.abortedBySystem, error.message, at: environment.now())
        case .switchedOff: return
        }
        let pages = current?.pages ?? []
        let ended = job
        do throws(SimulatorError) {
            // The job ends only after its report is written. Otherwise the end of the job would be lost when the
            // printer is switched off.
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
                    try deliverHalfSheet(of: id, before: side)
                    return .canceled
                }
                if side.opensSheet, let failure = try await feed(side, of: id) { return failure }
                let interval = sideInterval
                if interval > .zero {
                    do { try await environment.clock.sleep(for: interval) } catch { return .switchedOff }
                } else {
                    await Task.yield()
                }
                guard try await printed(side, in: sides, of: id) else { return .switchedOff }
            }
            if let job = jobs[id] { try? folder.deliver("sheets.pdf", of: job.folder) }
            return .completed
        } catch {
            return .broken(error)
        }
    }
}

// MARK: - Sheets

extension SimulatedPrinter {
    /// If the sheet's size differs from the size that the printer assumes, the page is rendered for the actual size of
    /// the sheet.
    ///
    /// - Returns: The outcome of the job if the pages cannot be rendered; otherwise nil.
    func feed(_ side: SideSequence.Side, of id: Int) async throws(SimulatorError) -> Outcome? {
        guard let paper = jobs[id]?.options.paper, let page = side.page, let current else { return nil }
        let mismatch = memory.stock.mismatchedSheet(for: paper, from: jobs[id]?.options.mediaSource, at: description)
        let media = mismatch?.media ?? paper.media
        if let mismatch, current.mismatchedMedia?.hasSameSize(as: media) != true, var job = jobs[id] {
            let copy = current.pagesOut.contains(page) ? " of a later copy" : ""
            job.warnings.append(
                "from page \(page)\(copy) on, tray '\(mismatch.tray)' fed \(media.localizedName) instead of "
                    + "\(paper.media.localizedName); the printer did not detect the wrong size")
            change(job)
        }
        self.current?.mismatchedMedia = mismatch?.media
        let before = current.sheetChanges.last { $0.page <= page }?.media ?? paper.media
        // A page has only one image: for the sheet on which it was printed first.
        guard !media.hasSameSize(as: before), !current.pagesOut.contains(page) else { return nil }
        // Pages that are already printed keep their size: the pages before, or the pages after in reverse order.
        var changes = current.sheetChanges.filter { $0.page < page } + [.init(page: page, media: media)]
        if let next = current.pagesOut.filter({ $0 > page }).min() {
            let there = current.sheetChanges.last { $0.page <= next }?.media ?? paper.media
            changes = [.init(page: 1, media: media), .init(page: next, media: there)]
            changes += current.sheetChanges.filter { $0.page > next }
        }
        self.current?.sheetChanges = changes
        switch try await read(id) {
        case .success(let document):
            let noted = try await withRoom(for: id) { () throws(SimulatorError) in try note(document, for: id) }
            guard noted != nil else { return Task.isCancelled ? .switchedOff : .canceled }
            return nil
        case .failure(let error):
            if Task.isCancelled { return .switchedOff }
            return jobs[id]?.isStopping == true ? .canceled : .failed(error)
        }
    }

    func isStackReversed(_ job: SimulatedJob) -> Bool {
        // Strips from a roll and labels on a carrier are not stacked.
        let isStrip =
            memory.stock.isFromRoll(job.options.paper, from: job.options.mediaSource, at: description)
            || description.kinds.contains("label")
        return !isStrip
            && description.faceUpBins.contains(job.outputBin) != description.lastFirstBins.contains(job.outputBin)
    }
}

// MARK: - Sides

extension SimulatedPrinter {
    /// Returns false if the job or the task is canceled, or if the printer is switched off.
    func untilReady(for side: SideSequence.Side, of id: Int) async -> Bool {
        if !isBlank(side) { meetFaults(ofJob: id) }
        while !Task.isCancelled, !isOff, var job = jobs[id], !job.isStopping {
            currentStop = side.opensSheet ? stockStop(to: job) : nil
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
            await untilWake()
        }
        currentStop = nil
        return false
    }

    func stockStop(to job: SimulatedJob) -> StopCondition? {
        memory.stock.currentStop(
            to: job.options.paper, from: job.options.mediaSource, isColor: isColor(job), at: description)
    }

    /// Returns false if the task is canceled before the record is stored.
    func printed(
        _ side: SideSequence.Side, in sides: SideSequence, of id: Int
    ) async throws(SimulatorError) -> Bool {
        guard var job = jobs[id] else { return true }
        let isFromRoll = memory.stock.isFromRoll(job.options.paper, from: job.options.mediaSource, at: description)
        if side.opensSheet {
            memory.stock.drawSheet(of: job.options.paper, from: job.options.mediaSource, at: description)
        }
        if let page = side.page, let current, !current.pagesOut.contains(page) {
            try folder.deliver(current.pages[page - 1].file, of: job.folder)
            self.current?.pagesOut.insert(page)
        }
        if !isBlank(side) {
            memory.stock.printSide(isColor: isColor(job), at: description)
            job.impressionsCompleted += 1
        }
        job.sidesCompleted += 1
        if side.closesSheet {
            job.sheetsCompleted += 1
            memory.stock.countSheet()
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

    /// Delivers a sheet with a printed front to the output bin if the job is canceled before the back is printed.
    func deliverHalfSheet(of id: Int, before side: SideSequence.Side) throws(SimulatorError) {
        guard !side.opensSheet, var job = jobs[id] else { return }
        job.sheetsCompleted += 1
        memory.stock.countSheet()
        change(job)
    }

    /// Returns whether a side is a blank back: a back without a page, or with an empty page.
    func isBlank(_ side: SideSequence.Side) -> Bool {
        guard let page = side.page, let current, page <= current.pages.count else { return true }
        return !side.opensSheet && current.pages[page - 1].isBlank
    }

    func isColor(_ job: SimulatedJob) -> Bool { description.isColor && job.options.colorMode != .monochrome }
}
