// The jobs of simulated printers, for the Print Center.

import PrintCenter
import PrintModel
import PrinterSimulator
import SafeFiles

struct PrinterJobPages: SimulatedJobs {
    let printers: [SimulatedPrinter]

    func jobs(of printer: String, containing text: String, before: Int?, limit: Int) async throws -> SimulatedJobList {
        let printer = try find(printer)
        let all = await printer.unfinishedJobs + printer.endedJobs
        let wanted = text.lowercased()
        let jobs = all.filter { $0.id < before ?? .max && (wanted.isEmpty || $0.isNamed(wanted)) }
            .sorted { $0.id > $1.id }
        let records = jobs.prefix(limit).map { SimulatedJobRecord($0, images: JobImages.count(of: $0, at: printer)) }
        return SimulatedJobList(records, hasMore: jobs.count > limit)
    }

    func pages(of job: Int, at printer: String) async throws -> SimulatedJobPages {
        let images = try await images(of: job, at: printer)
        let pages = images.pages
        let record = SimulatedJobRecord(images.job, images: pages.count { $0.state == .printed })
        let margins = images.job.options.paper.margins
        let items = pages.map { PageItem($0, margins: margins) }
        let list = items.isEmpty ? PageList(unavailable: Self.reason(images.job)) : PageList(items)
        return SimulatedJobPages(list, of: record, resolution: images.resolution)
    }

    func image(of job: Int, at printer: String, page: Int) async throws -> PageImageFile {
        let images = try await images(of: job, at: printer)
        let file: JobImages.File?
        do throws(SimulatorError) {
            file = try images.png(page)
        } catch {
            throw Problem(.internalServerError, error.message)
        }
        guard let file else {
            throw Problem.notFound(
                "page \(page) of job \(job) at printer '\(printer)' does not exist, or has not been printed yet")
        }
        // A later printsim with another output folder can have a different job with the same number.
        return PageImageFile(png: file.bytes, tag: file.tag, mayChange: true)
    }

    func document(_ number: Int, of job: Int, at printer: String) async throws -> FileDownload {
        let images = try await images(of: job, at: printer)
        guard let path = images.document(number) else { throw Problem.notFound("job \(job) has no document \(number)") }
        let document = images.job.documents[number - 1]
        return try FileDownload(path, name: document.name ?? document.file, type: document.format.rawValue)
    }

    func report(of job: Int, at printer: String) async throws -> FileDownload {
        let images = try await images(of: job, at: printer)
        return try FileDownload(images.reportPath, name: "\(images.job.folder).json", type: "application/json")
    }

    func delete(_ job: Int?, at name: String) async throws -> Int {
        let printer = try find(name)
        do throws(SimulatorError) {
            guard let job else { return try await printer.deleteEndedJobs() }
            try await printer.deleteJob(job)
            return 1
        } catch {
            throw error.code == .noSuchJob ? Problem.notFound(error.message) : Problem(.conflict, error.message)
        }
    }

    private func find(_ name: String) throws(Problem) -> SimulatedPrinter {
        guard let printer = printers.first(where: { $0.description.name == name }) else {
            throw .notFound("there is no printer '\(name)'")
        }
        return printer
    }

    private func images(of id: Int, at name: String) async throws(Problem) -> JobImages {
        let printer = try find(name)
        guard let job = await printer.job(id) else { throw .notFound("printer '\(name)' has no job \(id)") }
        do throws(SimulatorError) {
            return try JobImages(of: job, at: printer)
        } catch {
            throw .notFound(error.message)
        }
    }

    private static func reason(_ job: SimulatedJob) -> String {
        if job.state.isTerminal { return job.message.isEmpty ? "The job printed no pages." : job.message }
        return "The printer has not read the document yet."
    }
}

extension SimulatedJob {
    /// Returns whether a text in lowercase is a part of the names of the job, its owner or its documents.
    fileprivate func isNamed(_ text: String) -> Bool {
        ([name, owner] + documents.compactMap(\.name)).contains { $0.lowercased().contains(text) }
    }
}

extension FileDownload {
    /// Opens a file of a job's folder; a link could lead to any file of the user.
    fileprivate init(_ path: String, name: String, type: String) throws {
        guard let file = try? RegularFile(path) else { throw Problem.notFound("the file '\(name)' was removed") }
        self.init(name: name, type: type, size: file.size) { send in
            var start = 0
            while start < file.size {
                let piece = try file.bytes(at: start, count: min(256 << 10, file.size - start))
                guard !piece.isEmpty else {
                    throw Problem(.internalServerError, "the file became shorter during the transfer")
                }
                try await send(piece)
                start += piece.count
            }
        }
    }
}

extension SimulatedJobRecord {
    fileprivate init(_ job: SimulatedJob, images: Int) {
        self.init(
            id: job.id, name: job.name, state: job.state, message: job.message, createdAt: job.createdAt,
            images: images, pages: job.plan?.pages, media: job.options.paper.media, duplex: job.options.duplex,
            folder: job.folder)
        (completedAt, warnings, documents) = (job.completedAt, job.warnings, job.documents.count)
    }
}

extension PageItem {
    /// The argument `margins` contains the margins of the page's paper.
    fileprivate init(_ page: JobImages.Page, margins: PrintModel.Margins) {
        self.init(
            number: page.number, width: page.size.width, height: page.size.height, label: "\(page.number)")
        (sheet, isFront) = (page.side.sheet, page.side.isFront)
        self.margins = Margins(
            top: margins.top.points, left: margins.left.points, bottom: margins.bottom.points,
            right: margins.right.points)
        state =
            switch page.state {
            case .printed: .printed
            case .printing: .printing
            case .waiting: .waiting
            case .omitted: nil
            }
    }
}
