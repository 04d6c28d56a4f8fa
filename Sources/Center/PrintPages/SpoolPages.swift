// Shows the pages of the spool's jobs.

import AsyncPrimitives
import FoundationEssentials
import Glibc
package import PrintCenter
package import PrintModel
package import PrintScheduler
package import PrintSpool
package import PrintWork
import SafeFiles
import Synchronization

/// The pages of the spool's jobs as images.
///
/// The pages of the submitted documents are shown without layout. Documents without pages, such as text files, are
/// converted in the same way as for printing. For a simulated printer, the images of printed sides are the images that
/// the simulator wrote. All other sides are laid out again, with the colors and margins of the printer. A client can
/// request a higher resolution than the resolution of the image. In this case, the laid-out page is drawn, provided
/// that the laid-out page and the image have no visible difference.
package struct SpoolPages: JobPages {
    let spool: Spool
    let directory: PrinterDirectory
    let maker: ViewMaker
    let pictures: PagePictures
    let views: OpenViews
    let output: @Sendable (Job, ConfiguredPrinter?) async -> String?
    let region: String?
    let simulatedFolders = SimulatedFolders()
    let originals = PrintedOriginals()

    /// Creates the page images of a spool.
    ///
    /// - Parameters:
    ///   - pool: The pool that converts and lays out documents.
    ///   - output: A closure that returns the folder with the page images of a job at a simulated printer. The closure
    ///     returns nil for other printers.
    package init(
        spool: Spool, folder: String, directory: PrinterDirectory, pool: ConvertingWorkerPool, pictures: PagePictures,
        region: String? = nil, output: @escaping @Sendable (Job, ConfiguredPrinter?) async -> String?
    ) {
        self.spool = spool
        self.directory = directory
        self.pictures = pictures
        self.output = output
        self.region = region
        maker = ViewMaker(pool: pool, viewer: pictures.viewer)
        views = OpenViews(folder: folder, pictures: pictures)
    }

    /// Closes documents that are no longer required, until the task is canceled.
    ///
    /// A document is no longer required if the Print Center has not displayed the document for ten minutes, or if the
    /// spool no longer keeps the document.
    package func run() async {
        async let viewing: Void = pictures.viewer.run()
        async let deleting: Void = closeDeleted()
        while (try? await Task.sleep(for: .seconds(30))) != nil { await views.closeIdle() }
        await viewing
        await deleting
        await views.closeAll()
    }

    /// Closes the documents of each job whose documents the spool no longer keeps.
    private func closeDeleted() async {
        for await _ in spool.changes() {
            for job in await views.jobs where (try? await spool.keepsDocuments(of: job)) != true {
                await views.closeAll(ofJob: job)
            }
            try? await Task.sleep(for: Spool.observerPause)
        }
    }

    /// Closes the previews that contain a removed upload.
    package func closePreviews(ofUpload id: String) async { await views.closeAll(ofUpload: id) }

    // MARK: - Jobs

    /// Returns the job with the given number.
    ///
    /// - Throws: `Problem` with status 404 if the job does not exist.
    func job(_ id: Int) async throws -> Job {
        guard let job = try await spool.job(id) else { throw Problem.notFound("job \(id) does not exist") }
        return job
    }

    /// Returns the options that determine the appearance of a job's pages.
    ///
    /// If the printer has never reported its capabilities, the function uses the capabilities of a typical printer.
    func order(_ job: Job) async throws -> ViewMaker.Order {
        let printer = try await spool.printer(named: job.printer)
        var capabilities: PrinterCapabilities?
        if let printer { capabilities = await directory.knownCapabilities(of: printer) }
        return ViewMaker.Order(
            ticket: job.ticket, capabilities: capabilities ?? .usual(region: region), printer: job.printer,
            owner: job.owner, date: job.createdAt, job: job.id, title: job.name)
    }

    /// Opens the documents of a job without arranging the pages on sheets.
    ///
    /// - Throws: `Problem` if the documents are not kept or cannot be converted.
    func documents(_ job: Job) async throws -> (view: OpenView, order: ViewMaker.Order) {
        guard try await spool.keepsDocuments(of: job.id) else {
            await views.closeAll(ofJob: job.id)
            throw Problem.notFound(
                job.documents.isEmpty
                    ? "job \(job.id) has no document" : "the spool no longer keeps the documents of job \(job.id)"
            )
        }
        let order = try await order(job)
        let key = "\(job.id) document \(Self.hash(order)) \(job.documents.count)"
        let (spool, maker) = (spool, maker)
        let view = try await asProblem {
            try await views.view(key, job: job.id) { folder in
                let documents = try await spool.documents(of: job.id)
                let earlier = spool.preparedPath(of: job.id).dropLast("/prepared.pdf".count)
                return try await maker.open(documents, order, in: folder, conversions: String(earlier))
            }
        }
        return (view, order)
    }

    /// Lays out the documents of a job in the same way as for printing.
    func laidOut(_ job: Job) async throws -> OpenView {
        let (documents, order) = try await documents(job)
        let key = "\(job.id) printed \(Self.hash(order)) \(job.documents.count)"
        let maker = maker
        return try await asProblem {
            try await views.view(key, job: job.id) { folder in
                try await maker.layOut(documents, order, in: folder)
            }
        }
    }

    private static func hash(_ order: ViewMaker.Order) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(order.plan)).map(Array.init) ?? []
        return PagePicture(png: bytes + Array("\(order.isGray) \(order.ticket)".utf8)).tag
    }

    // MARK: - JobPages

    /// Returns the list of the document pages or of the printed sides of a job.
    package func list(_ id: Int, _ side: PageSide, for user: CenterUser) async throws -> PageList {
        let job = try await job(id)
        do {
            switch side {
            case .document: return PageList(Self.items(try await documents(job).view.opened))
            case .printed: return PageList(try await printedSides(job).map(\.item))
            }
        } catch let problem as Problem
            where [.notFound, .unprocessableContent, .unsupportedMediaType].contains(problem.status)
        {
            return PageList(unavailable: problem.detail)
        }
    }

    private static func items(_ opened: OpenedPages) -> [PageItem] {
        opened.sizes.enumerated().map { index, size in
            PageItem(number: index + 1, width: size.width, height: size.height, label: "\(index + 1)")
        }
    }

    /// Draws a document page or a printed side, or a tile of the page or side, as an image.
    package func image(
        of id: Int, _ side: PageSide, page: Int, _ area: PageArea, for user: CenterUser
    ) async throws -> PageImageFile {
        let job = try await job(id)
        switch side {
        case .document:
            let view = try await documents(job).view
            guard view.opened.sizes.indices.contains(page - 1) else { throw Self.noPage(page, of: id) }
            return try await pictures.image(
                of: view.viewed, page: page, size: view.opened.sizes[page - 1], area, for: user.name)
        case .printed:
            let sides = try await printedSides(job)
            guard sides.indices.contains(page - 1), var source = sides[page - 1].source else {
                throw Self.noPage(page, of: id)
            }
            if let origin = sides[page - 1].origin, area.resolution > origin.imageResolution,
                await originals.show(origin, asPrintedOn: source, pictures.viewer, for: user.name)
            {
                source.documents = origin.page.documents
                (source.page, source.size) = (origin.page.page, origin.page.size)
            }
            var file = try await pictures.image(
                of: source.documents, page: source.page, size: source.size, area, for: user.name)
            file.mayChange = !source.isFinal
            return file
        }
    }

    /// Returns the words on a document page or on a printed side.
    package func words(
        on page: Int, of id: Int, _ side: PageSide, for user: CenterUser
    ) async throws -> [PageWord] {
        let job = try await job(id)
        let shown: (documents: ViewedDocuments, page: Int)
        switch side {
        case .document:
            let view = try await documents(job).view
            guard view.opened.sizes.indices.contains(page - 1) else { throw Self.noPage(page, of: id) }
            shown = (view.viewed, page)
        case .printed:
            let sides = try await printedSides(job)
            guard sides.indices.contains(page - 1) else { throw Self.noPage(page, of: id) }
            // The image of a simulated printer has no text; the page that the printer received has it.
            guard let source = sides[page - 1].origin?.page ?? sides[page - 1].source else { return [] }
            shown = (source.documents, source.page)
        }
        return try await asProblem {
            try await pictures.viewer.words(ofPage: shown.page, in: shown.documents, for: user.name)
        }
    }

    static func noPage(_ page: Int, of job: Int) -> Problem { Problem.notFound("job \(job) has no page \(page)") }

    // MARK: - Downloads

    /// Returns the submitted data of a job's document.
    package func document(_ number: Int, of id: Int) async throws -> FileDownload {
        let job = try await job(id)
        guard let document = job.documents.first(where: { $0.number == number }) else {
            throw Problem.notFound("job \(id) has no document \(number)")
        }
        guard try await spool.keepsDocuments(of: id) else {
            throw Problem.notFound("the spool no longer keeps the documents of job \(id)")
        }
        let documents = try await spool.documents(of: id)
        guard documents.indices.contains(number - 1) else {
            throw Problem.notFound("job \(id) has no document \(number)")
        }
        let fileExtension = document.format.fileExtension
        return try FileDownload(
            path: documents[number - 1].path, name: document.name ?? "job-\(id)-\(number).\(fileExtension)",
            type: document.format == .pdf ? "application/pdf" : "application/octet-stream")
    }

    /// Returns the printed sides of a job as a PDF.
    package func sheets(of id: Int, for user: CenterUser) async throws -> FileDownload {
        let job = try await job(id)
        let name = "job-\(id)-sheets.pdf"
        if let images = await simulated(job), access("\(images.folder)/sheets.pdf", R_OK) == 0 {
            return try FileDownload(path: "\(images.folder)/sheets.pdf", name: name, type: "application/pdf")
        }
        guard let path = try await laidOut(job).preparedPath else { throw Problem.notFound("job \(id) has no pages") }
        return try FileDownload(path: path, name: name, type: "application/pdf")
    }
}

extension FileDownload {
    /// Opens a file for a download.
    ///
    /// The download continues if the file is removed.
    init(path: String, name: String, type: String) throws {
        let file = try OpenFile(path: path)
        self.init(name: name, type: type, size: file.size) { send in
            while let piece = try await file.read() { try await send(piece) }
        }
    }
}

private final class OpenFile: Sendable {
    private let file: RegularFile
    private let offset = Mutex(0)

    var size: Int { file.size }

    init(path: String) throws {
        BlockingCall.check()
        do { file = try RegularFile(path) } catch { throw Problem.notFound("the document no longer exists") }
    }

    /// Returns the next bytes of the file; nil at the end of the file.
    func read() async throws -> [UInt8]? {
        let start = offset.withLock { $0 }
        guard start < size else { return nil }
        BlockingCall.check()
        let piece = (try? file.bytes(at: start, count: min(256 << 10, size - start))) ?? []
        guard !piece.isEmpty else { throw Problem(.internalServerError, "the file became shorter during the transfer") }
        offset.withLock { $0 = start + piece.count }
        return piece
    }
}
