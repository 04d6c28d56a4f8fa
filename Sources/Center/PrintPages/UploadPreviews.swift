// Lays out uploaded documents as they would be printed.

import FoundationEssentials
package import PrintCenter
package import PrintModel
import PrintScheduler
import PrintSpool
import PrintWork

/// The previews of uploads and of jobs with changed options.
///
/// Each session has at most one preview.
package actor UploadPreviews: Previews {
    private struct Preview {
        var id: String
        var owner: CenterUser.Account
        var number: Int
        /// The key of the open documents in `OpenViews`.
        ///
        /// `printed` is the key of the layout of these documents.
        var documents: String
        var printed: String
    }

    private let pages: SpoolPages
    private let uploads: UploadFolder
    private let clock: @Sendable () -> UnixTime
    /// The newest preview of each session.
    ///
    /// The layout of this preview might still be in progress.
    private var latest: [String: Preview] = [:]
    /// The newest finished preview of each session.
    private var finished: [String: Preview] = [:]
    private var lastNumber = 0

    /// The maximum number of printed sides in a response.
    private static let mostListedSides = 40
    /// The maximum number of sessions with a preview.
    private static let mostSessions = 64

    package init(pages: SpoolPages, uploads: UploadFolder, clock: @escaping @Sendable () -> UnixTime) {
        (self.pages, self.uploads, self.clock) = (pages, uploads, clock)
    }

    /// The documents of a preview, and the options for these documents.
    private struct Input {
        var documents: [InputDocument]
        var order: ViewMaker.Order
        /// The job whose documents are shown; nil for uploads.
        var job: Int?
        /// The key of the documents, which is unique for each user and each list of documents.
        var name: String
        /// The folder with earlier conversions of the documents; nil if there is no folder.
        var conversions: String?
    }

    /// Lays out documents in the same way as for printing.
    ///
    /// A new preview replaces the session's former preview.
    package func make(
        of source: PreviewSource, printer: String?, options: [(name: String, value: String)], password: String?,
        for user: CenterUser, session: String
    ) async throws -> PreviewResult {
        let input = try await input(source, printer, options, password, user)
        lastNumber += 1
        let id = UUID().uuidString.lowercased()
        let former = latest[session]
        // The documents of the former preview are used again if they are converted in the same way.
        let key = "\(user.account) \(input.name) \(Self.text(input.order.request([], output: "").conversion))"
        let preview = Preview(
            id: id, owner: user.account, number: lastNumber, documents: "source \(key)", printed: "preview \(id) \(key)"
        )
        latest[session] = preview
        // A preview that is still being made is canceled; a finished preview stays until the next one is finished.
        if let former, former.number != finished[session]?.number { await close(former) }
        do {
            let result = try await result(preview, input)
            guard latest[session]?.number == preview.number else { throw CancellationError() }
            let old = finished.updateValue(preview, forKey: session)
            if let old { await close(old) }
            removeExcess()
            return result
        } catch {
            guard latest[session]?.number == preview.number else {
                throw Problem(.conflict, "a newer preview replaced this preview")
            }
            latest[session] = finished[session]
            throw error
        }
    }

    /// Closes a replaced preview.
    ///
    /// The documents of the preview stay open if another preview shows the same documents, for example in another
    /// browser.
    private func close(_ preview: Preview) async {
        await pages.views.close(preview.printed)
        let isShown = [latest, finished].contains { $0.values.contains { $0.documents == preview.documents } }
        if !isShown { await pages.views.close(preview.documents) }
    }

    private func result(_ preview: Preview, _ input: Input) async throws -> PreviewResult {
        let (maker, views, order) = (pages.maker, pages.views, input.order)
        let (opened, view) = try await asProblem { @Sendable in
            let opened = try await views.view(preview.documents, job: input.job) { folder in
                try await maker.open(input.documents, order, in: folder, conversions: input.conversions)
            }
            do {
                let view = try await views.view(preview.printed, job: input.job) { folder in
                    try await maker.layOut(opened, order, in: folder)
                }
                return (opened, view)
            } catch let error as WorkError where error.code == .noPages && order.ticket.pageRanges != nil {
                throw Problem.wrong("page-ranges", error.message)
            }
        }
        guard let layout = view.layout else { throw Problem(.internalServerError, "the preview has no pages") }
        let plan = layout.plan
        let paper = plan.imposition.paper
        let margins = PageItem.Margins(paper.margins)
        var impression = 0
        let sides = layout.sides.indices.prefix(Self.mostListedSides).map { index in
            let isBlank = layout.sides[index].pages.isEmpty
            if !isBlank { impression += 1 }
            let size = view.opened.sizes[index]
            var item = PageItem(
                number: index + 1, width: size.width, height: size.height, label: isBlank ? "" : "\(impression)")
            item.sheet = index / layout.sidesPerSheet + 1
            item.isFront = index % layout.sidesPerSheet == 0
            item.isBlank = isBlank
            item.margins = margins
            item.pages = layout.sides[index].pages.filter { $0 > 0 }
            item.turns = layout.sides[index].turns
            return item
        }
        return PreviewResult(
            id: preview.id, pages: opened.opened.sizes.count, selectedPages: layout.prepared.pages,
            sides: sides, sideCount: layout.sides.count, sheets: layout.prepared.sheets,
            copies: max(1, order.ticket.copies ?? 1),
            paper: (paper.media.localizedName, paper.paperSize.width, paper.paperSize.height), margins: margins,
            notices: plan.conflicts.map(\.description) + layout.prepared.notices)
    }

    /// Draws a printed side of a preview, or a tile of the side, as an image.
    package func image(
        of id: String, side: Int, _ area: PageArea, for user: CenterUser
    ) async throws -> PageImageFile {
        guard let preview = finished.values.first(where: { $0.id == id && $0.owner == user.account }),
            let view = await pages.views.openView(preview.printed)
        else { throw Problem.notFound("there is no preview '\(id)'; the preview was replaced or has expired") }
        guard view.opened.sizes.indices.contains(side - 1) else {
            throw Problem.notFound("the preview has no side \(side)")
        }
        return try await pages.pictures.image(
            of: view.viewed, page: side, size: view.opened.sizes[side - 1], area, for: user.name)
    }

    /// Removes the oldest finished previews if more than `mostSessions` sessions have a preview.
    ///
    /// `OpenViews` closes the documents of a removed preview ten minutes after their last use.
    private func removeExcess() {
        while finished.count > Self.mostSessions,
            let oldest = finished.min(by: { $0.value.number < $1.value.number })
        {
            finished[oldest.key] = nil
            if latest[oldest.key]?.number == oldest.value.number { latest[oldest.key] = nil }
        }
    }

    /// Returns the documents and the options of a preview.
    ///
    /// - Throws: `Problem` with status 404 if the documents are not kept, and status 422 for invalid options.
    private func input(
        _ source: PreviewSource, _ printer: String?, _ options: [(name: String, value: String)], _ password: String?,
        _ user: CenterUser
    ) async throws -> Input {
        // Documents that were opened with another password are opened again. The hash differs in each process.
        let secret = password.map { " \($0.hashValue)" } ?? ""
        switch source {
        case .uploads(let ids):
            guard !ids.isEmpty else { throw Problem.wrong("uploads", "choose at least one document") }
            let order = try await order(printer, try ticket(options, onto: JobTicket()), user)
            return Input(
                documents: try await uploads.inputs(ids, password: password, of: user), order: order,
                name: ids.joined(separator: " ") + secret)
        case .job(let id):
            let job = try await pages.job(id)
            guard try await pages.spool.keepsDocuments(of: id) else {
                throw Problem.notFound("the spool no longer keeps the documents of job \(id)")
            }
            var order = try await order(printer ?? job.printer, try ticket(options, onto: job.ticket), user)
            order.date = job.createdAt
            let prepared = pages.spool.preparedPath(of: id)
            var documents = try await pages.spool.documents(of: id)
            for index in documents.indices { documents[index].password = documents[index].password ?? password }
            return Input(
                documents: documents, order: order, job: id, name: "job \(id) \(job.documents.count)\(secret)",
                conversions: String(prepared.dropLast("/prepared.pdf".count)))
        }
    }

    /// Returns a job ticket with additional options.
    ///
    /// - Throws: `Problem` with status 422 that lists all invalid options.
    private func ticket(
        _ options: [(name: String, value: String)], onto ticket: JobTicket
    ) throws(Problem) -> JobTicket {
        var ticket = ticket
        var fields: [Problem.Field] = []
        for (name, value) in options {
            do throws(OptionError) {
                try ticket.set(name, to: value, at: clock())
            } catch {
                fields.append(Problem.Field(name, error.description))
            }
        }
        if fields.isEmpty, let conflict = ticket.layoutConflict {
            fields.append(Problem.Field(conflict.option, conflict.description))
        }
        guard let first = fields.first else { return ticket }
        throw Problem(.unprocessableContent, first.detail, fields: fields)
    }

    private func order(_ printer: String?, _ ticket: JobTicket, _ user: CenterUser) async throws -> ViewMaker.Order {
        let printers = try await pages.spool.printers()
        let chosen: ConfiguredPrinter?
        if let printer {
            guard let found = printers.first(where: { $0.name == printer }) else {
                throw Problem.wrong("printer", "there is no printer '\(printer)'")
            }
            chosen = found
        } else {
            chosen = printers.first(where: \.isDefault) ?? printers.first
        }
        var capabilities: PrinterCapabilities?
        if let chosen { capabilities = await pages.directory.knownCapabilities(of: chosen) }
        return ViewMaker.Order(
            ticket: ticket, capabilities: capabilities ?? .usual(region: pages.region), printer: chosen?.name,
            owner: user.name, date: clock())
    }

    private static func text(_ layout: ConversionLayout?) -> String {
        var layout = layout
        layout?.date = nil
        return "\(String(describing: layout))"
    }
}
