// What a sheet really is, and how sheets lie when they are out.

import PrintModel

extension SimulatedPrinter {
    /// Feeds a sheet; of another size than the printer believes, it is that sheet which the page comes out on.
    ///
    /// - Returns: how the job ends, when the pages cannot be made for it.
    func feed(_ side: SideSequence.Side, of id: Int) async throws(SimulatorError) -> Outcome? {
        guard let paper = jobs[id]?.options.paper, let page = side.page, let current else { return nil }
        let strange = memory.stock.strangeSheet(for: paper, from: jobs[id]?.options.mediaSource, at: description)
        let media = strange?.media ?? paper.media
        if let strange, current.strangeMedia?.hasSameSize(as: media) != true, var job = jobs[id] {
            let copy = current.pagesOut.contains(page) ? " of a later copy" : ""
            job.warnings.append(
                "from page \(page)\(copy) on, tray '\(strange.tray)' fed \(media.localizedName) instead of "
                    + "\(paper.media.localizedName), and did not notice")
            change(job)
        }
        self.current?.strangeMedia = strange?.media
        let before = current.sheetChanges.last { $0.page <= page }?.media ?? paper.media
        // A page has one image: the sheet on which it came out first.
        guard !media.hasSameSize(as: before), !current.pagesOut.contains(page) else { return nil }
        // Those that are out stay as they are: the ones before it, or after it when the last sheet is printed first.
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

    /// Whether the last sheet of a job lies on top in its bin.
    func isStackReversed(_ job: SimulatedJob) -> Bool {
        // What comes out in a strip, labels on their carrier too, does not lie in a stack.
        let isStrip =
            memory.stock.isFromRoll(job.options.paper, from: job.options.mediaSource, at: description)
            || description.kinds.contains("label")
        return !isStrip
            && description.faceUpBins.contains(job.outputBin) != description.lastFirstBins.contains(job.outputBin)
    }
}
