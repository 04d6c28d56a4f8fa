// Converts a simulated job to the model's job.

import PrintModel
import PrinterSimulator

extension SimulatedJob {
    /// Returns this job as a `Job`, which the server reports to clients.
    func job(at printer: SimulatedPrinterDescription) -> Job {
        var job = Job(
            id: id, uuid: uuid, printer: printer.name, owner: owner, name: name, state: state, reasons: reasons,
            message: shownMessage, ticket: asked(of: printer),
            documents: documents.enumerated().map { index, document in
                JobDocument(number: index + 1, name: document.name, format: document.format, bytes: document.bytes)
            },
            createdAt: createdAt)
        job.priority = priority
        if case .time(let moment) = hold { job.heldUntil = moment }
        job.processingAt = processingAt
        job.completedAt = completedAt
        job.impressions = sheets.map { $0 * sidesPerSheet }
        job.impressionsCompleted = sidesCompleted
        job.sheetPlan = plan
        job.sheets = sheets
        job.sheetsCompleted = sheetsCompleted
        return job
    }

    /// The state message.
    ///
    /// If the job has several warnings, the message contains only the first warning, because `job-state-message` is
    /// short.
    private var shownMessage: String {
        guard state == .completed || !state.isTerminal && message.isEmpty, let first = warnings.first else {
            return message
        }
        let others = warnings.count - 1
        return others == 0 ? first : "\(first) (and \(others) more warning\(others == 1 ? "" : "s"))"
    }

    /// Returns the options that the client has set.
    ///
    /// An option that the printer has replaced has the printer's value.
    private func asked(of printer: SimulatedPrinterDescription) -> JobTicket {
        guard case .object(let received) = ticket else { return JobTicket() }
        func has(_ names: String...) -> Bool { names.contains { received[$0] != nil } }
        var asked = JobTicket()
        if has("copies") { asked.copies = options.copies }
        if has("page-ranges") { asked.pageRanges = pageRanges }
        if has("sides") { asked.duplex = options.duplex }
        if has("media", "media-col") {
            asked.media = options.paper.media
            if has("media-col") {
                asked.mediaType = options.paper.type
                asked.mediaSource = options.mediaSource
            }
        }
        if let mode = received["print-color-mode"] { asked.colorMode = mode == "auto" ? .auto : options.colorMode }
        if has("print-quality") { asked.quality = options.quality }
        if has("print-scaling") { asked.scaling = options.scaling }
        if has("multiple-document-handling", "collate") { asked.collated = options.collated }
        if has("orientation-requested") { asked.orientation = orientation }
        if has("job-priority") { asked.priority = priority }
        if case .string(let text)? = received["printer-resolution"], let dots = RasterResolution(text: text),
            dots.isSquare, printer.resolutions.contains(dots.feed)
        {
            asked.resolution = dots
        }
        // The printer supports no other value.
        if received["print-content-optimize"] == "auto" { asked.contentOptimization = "auto" }
        if received["print-rendering-intent"] == "auto" { asked.renderingIntent = "auto" }
        return asked
    }
}
