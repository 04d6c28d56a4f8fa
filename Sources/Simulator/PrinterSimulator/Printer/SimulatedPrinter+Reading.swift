// Renders a job's documents to pages with the worker.

import PrintModel

extension SimulatedPrinter {
    /// Renders the pages of a job, and retries as long as the disk is full.
    ///
    /// Canceling the job cancels the rendering.
    func read(_ id: Int) async throws(SimulatorError) -> Result<RasterizedDocument, WorkError> {
        let name = jobs[id]?.folder ?? ""
        while true {
            guard try await withRoom(for: id, { () throws(SimulatorError) in try folder.makeUnprinted(name) }) != nil
            else { return .failure(WorkError(.canceled, "job \(id) was canceled")) }
            let result = await readOnce(id)
            guard case .failure(let error) = result, error.code == .writeFailed else { return result }
            folder.removeUnprinted(name)
            guard await rest(for: .spoolAreaFull(error.message), of: id) else { return result }
        }
    }

    private func readOnce(_ id: Int) async -> Result<RasterizedDocument, WorkError> {
        guard let job = jobs[id], !job.documents.isEmpty else {
            return .failure(WorkError(.documentMissing, "job \(id) has no document"))
        }
        let documents = job.documents.enumerated().map { index, document in
            InputDocument(
                path: "\(folder.path(of: job.folder))/\(document.file)", format: document.format,
                name: job.name(ofDocument: index))
        }
        var request = RasterizeRequest(
            document: documents[0], others: Array(documents.dropFirst()), paper: job.options.paper,
            resolution: description.previewResolution,
            monochrome: !isColor(job), pageRanges: job.pageRanges, outputFolder: folder.unprinted(job.folder),
            sheets: "\(folder.unprinted(job.folder))/sheets.pdf", copies: job.options.copies,
            collated: job.options.collated, duplex: job.options.duplex, orientation: job.orientation,
            sheetBack: description.sheetBack, scaling: job.options.scaling ?? .auto,
            sheetChanges: current?.sheetChanges ?? [], isStackReversed: isStackReversed(job),
            overlay: description.overlay, requiresFidelity: job.requiresFidelity)
        request.origin = WorkOrigin(printer: description.name, owner: job.owner)
        let (worker, work) = (environment.worker, request)
        let reading = Task { () async -> Result<RasterizedDocument, WorkError> in
            do throws(WorkError) {
                return .success(try await worker.rasterize(work) { _ in })
            } catch {
                return .failure(error.naming(documents))
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

    /// Records the pages of a rendered document; returns nil if the job was canceled in the meantime.
    func note(_ document: RasterizedDocument, for id: Int) throws(SimulatorError) -> SideSequence? {
        guard var job = jobs[id], !job.isStopping else { return nil }
        let sides = SideSequence(
            documents: document.documentPages, copies: job.options.copies, collated: job.options.collated,
            isDuplex: job.options.duplex != .none, isReversed: description.lastFirstBins.contains(job.outputBin))
        job.stack = isStackReversed(job) ? .lastOnTop : .firstOnTop
        let blankBacks = sides.blankBacks(document.pages)
        job.impressions = sides.count - blankBacks.count * sides.copies
        job.sheets = sides.sheets
        job.plan = SheetPlan(
            media: job.options.paper.media.name, isColor: job.options.colorMode != .monochrome, copies: sides.copies,
            sheetsPerCopy: sides.sheets / sides.copies, blankBacks: blankBacks, collated: sides.collated,
            isReversed: sides.isReversed, pages: document.pages.count)
        let known = Set(job.warnings)
        job.warnings += (document.notices + document.clippingWarnings).filter { !known.contains($0) }
        job.failedChecks = document.failedChecks(hasColor: description.isColor)
        current?.pages = document.pages
        change(job)
        try folder.write(
            JobReport(
                job: job, printer: description.name, pages: document.pages, resolution: description.previewResolution))
        return sides
    }
}

extension WorkError {
    fileprivate func naming(_ documents: [InputDocument]) -> WorkError {
        var named = self
        for document in documents {
            named.message = named.message.replacing(document.path, with: document.name ?? "the document")
        }
        return named
    }
}

extension RasterizedDocument {
    /// The warnings for pages with clipped content: one warning for each of the first twenty pages, and one warning
    /// with the number of remaining pages.
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
