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
            try? folder.putOut("sheets.pdf", of: id)
            return .completed
        } catch {
            return .broken(error)
        }
    }

    // MARK: - The document

    /// Has the document's pages made, as often as it takes to find room for them; a cancel stops the making.
    func read(_ id: Int) async throws(SimulatorError) -> Result<RasterizedDocument, WorkError> {
        while true {
            guard try await withRoom(for: id, { () throws(SimulatorError) in try folder.makeUnprinted(id) }) != nil
            else { return .failure(WorkError(.canceled, "job \(id) was canceled")) }
            let result = await readOnce(id)
            guard case .failure(let error) = result, error.code == .writeFailed else { return result }
            folder.removeUnprinted(id)
            guard await rest(for: .spoolAreaFull(error.message), of: id) else { return result }
        }
    }

    private func readOnce(_ id: Int) async -> Result<RasterizedDocument, WorkError> {
        guard let job = jobs[id], !job.documents.isEmpty else {
            return .failure(WorkError(.documentMissing, "job \(id) has no document"))
        }
        let documents = job.documents.map {
            InputDocument(path: "\(folder.jobFolder(id))/\($0.file)", format: $0.format)
        }
        let request = RasterizeRequest(
            document: documents[0], others: Array(documents.dropFirst()), paper: job.options.paper,
            resolution: description.previewResolution,
            monochrome: !isColor(job), pageRanges: job.pageRanges, outputFolder: folder.unprinted(id),
            sheets: "\(folder.unprinted(id))/sheets.pdf", copies: job.options.copies,
            collated: job.options.collated, duplex: job.options.duplex, orientation: job.orientation,
            sheetBack: description.sheetBack, scaling: job.options.scaling ?? .auto,
            sheetChanges: current?.sheetChanges ?? [], isStackReversed: isStackReversed(job),
            overlay: description.overlay)
        let worker = surroundings.worker
        let reading = Task { () async -> Result<RasterizedDocument, WorkError> in
            do throws(WorkError) {
                return .success(try await worker.rasterize(request) { _ in })
            } catch {
                return .failure(error)
            }
        }
        current?.reading = reading
        defer { current?.reading = nil }
        return await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
    }

    /// Notes what the document turned out to be; nil when the job was canceled meanwhile.
    func note(_ document: RasterizedDocument, for id: Int) throws(SimulatorError) -> SideSequence? {
        guard var job = jobs[id], !job.isStopping else { return nil }
        let sides = SideSequence(
            documents: document.documentPages, copies: job.options.copies, collated: job.options.collated,
            isDuplex: job.options.duplex != .none, isReversed: description.lastFirstBins.contains(job.outputBin))
        job.stack = isStackReversed(job) ? .lastOnTop : .firstOnTop
        job.impressions = sides.count
        job.sheets = sides.sheets
        let known = Set(job.warnings)
        job.warnings += document.clippingWarnings.filter { !known.contains($0) }
        current?.pages = document.pages
        change(job)
        try folder.write(
            JobReport(
                job: job, printer: description.name, pages: document.pages, resolution: description.previewResolution))
        return sides
    }

    // MARK: - A side

    /// Waits at a side's edge until the printer can print it; false when the job is canceled or the task is.
    private func untilReady(for side: SideSequence.Side, of id: Int) async -> Bool {
        meetFaults(ofJob: id)
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
    private func printed(
        _ side: SideSequence.Side, in sides: SideSequence, of id: Int
    ) async throws(SimulatorError) -> Bool {
        guard var job = jobs[id] else { return true }
        let isFromRoll = memory.stock.isFromRoll(job.options.paper, from: job.options.mediaSource, at: description)
        if side.opensSheet {
            memory.stock.drawSheet(of: job.options.paper, from: job.options.mediaSource, at: description)
        }
        if let page = side.page, let current, !current.pagesOut.contains(page) {
            try folder.putOut(current.pages[page - 1].file, of: id)
            self.current?.pagesOut.insert(page)
        }
        memory.stock.printSide(isColor: isColor(job), at: description)
        job.impressionsCompleted += 1
        if side.closesSheet {
            job.sheetsCompleted += 1
            memory.stock.putOutSheet()
            if isFromRoll {
                job.pieces.comeOut(job.options.paper)
                if job.rollCut.isDue(after: side, isLast: job.impressionsCompleted == sides.count) { job.pieces.cut() }
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
    private func putOutHalfSheet(of id: Int, before side: SideSequence.Side) throws(SimulatorError) {
        guard !side.opensSheet, var job = jobs[id] else { return }
        job.sheetsCompleted += 1
        memory.stock.putOutSheet()
        change(job)
    }

    private func isColor(_ job: SimulatedJob) -> Bool { description.isColor && job.options.colorMode != .monochrome }
}

extension RasterizedDocument {
    /// What was cut off, a sentence a page; the first twenty pages, then how many more.
    var clippingWarnings: [String] {
        let clipped = pages.filter { !$0.clipped.isEmpty }
        let sentences = clipped.prefix(20).map { page in
            let edges = page.clipped.map(\.rawValue)
            let margins = edges.count == 1 ? "margin" : "margins"
            let and = edges.count > 1 ? " and " : ""
            let list = edges.dropLast().joined(separator: ", ") + and + edges[edges.count - 1]
            return "content clipped at the \(list) \(margins) on page \(page.page)"
        }
        return sentences + (clipped.count > 20 ? ["content clipped on \(clipped.count - 20) more pages"] : [])
    }
}
