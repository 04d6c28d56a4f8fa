// The jobs of simulated printers, for the Print Center.

import PrintCenter
import PrintModel
import PrinterSimulator

struct PrinterJobPages: SimulatedJobs {
    let printers: [SimulatedPrinter]

    func jobs(of printer: String, before: Int?, limit: Int) async throws -> SimulatedJobList {
        let printer = try find(printer)
        let all = await printer.unfinishedJobs + printer.endedJobs
        let jobs = all.filter { $0.id < before ?? .max }.sorted { $0.id > $1.id }
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

extension SimulatedJobRecord {
    fileprivate init(_ job: SimulatedJob, images: Int) {
        self.init(
            id: job.id, name: job.name, state: job.state, message: job.message, createdAt: job.createdAt,
            images: images, pages: job.plan?.pages, media: job.options.paper.media, duplex: job.options.duplex,
            folder: job.folder)
        (completedAt, warnings) = (job.completedAt, job.warnings)
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
