// The jobs of simulated printers, for the Print Center.

import AsyncPrimitives
import PrintCenter
import PrintModel
import PrinterSimulator
import SafeFiles

struct PrinterJobPages: SimulatedJobs {
    let printers: [SimulatedPrinter]
    let texts: DocumentTexts

    /// The time after which a search in documents ends; the client continues it with another request.
    private static let searchTime = Duration.seconds(10)

    func jobs(of printer: String, containing text: String, before: Int?, limit: Int) async throws -> SimulatedJobList {
        let printer = try find(printer)
        let all = (await printer.unfinishedJobs + printer.endedJobs).filter { $0.id < before ?? .max }
            .sorted { $0.id > $1.id }
        let wanted = DocumentTexts.searched(text)
        let end = ContinuousClock.now + Self.searchTime
        var records: [SimulatedJobRecord] = []
        for job in all {
            var isFound = wanted.isEmpty || job.isNamed(wanted)
            if !isFound { isFound = await texts.contain(wanted, in: job, at: printer) }
            if isFound { records.append(SimulatedJobRecord(job, images: JobImages.count(of: job, at: printer))) }
            if records.count == limit || .now > end {
                return SimulatedJobList(records, next: job.id == all.last?.id ? nil : job.id)
            }
        }
        return SimulatedJobList(records, next: nil)
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

    func request(_ number: Int, of job: Int, at printer: String) async throws -> [UInt8] {
        let images = try await images(of: job, at: printer)
        guard let path = images.request(number), let file = try? RegularFile(path),
            let bytes = try? file.bytes(count: file.size)
        else { throw Problem.notFound("job \(job) has no request \(number)") }
        return bytes
    }

    func ended(_ wanted: AwaitedJobs, at name: String, within time: Duration) async throws -> EndedJobs {
        let printer = try find(name)
        // Subscribe before looking, so that no event is missed.
        let events = await printer.events()
        if let now = await Self.ended(wanted, at: printer), now.isDone || time == .zero { return now }
        let done = await outcome(within: time) { () -> EndedJobs? in
            for await _ in events {
                if let now = await Self.ended(wanted, at: printer), now.isDone { return now }
            }
            return nil
        }
        if let done = done ?? nil { return done }
        return await Self.ended(wanted, at: printer) ?? EndedJobs([], isDone: false)
    }

    /// Returns the awaited jobs that have ended; nil for an awaited job that does not exist yet.
    private static func ended(_ wanted: AwaitedJobs, at printer: SimulatedPrinter) async -> EndedJobs? {
        func record(_ job: SimulatedJob) -> SimulatedJobRecord {
            SimulatedJobRecord(job, images: JobImages.count(of: job, at: printer))
        }
        switch wanted {
        case .job(let id):
            guard let job = await printer.job(id) else { return nil }
            return job.state.isTerminal ? EndedJobs([record(job)], isDone: true) : EndedJobs([], isDone: false)
        case .count(let count, let after):
            let jobs = await printer.endedJobs.filter { $0.id > after }.sorted { $0.id < $1.id }
            return EndedJobs(jobs.map(record), isDone: jobs.count >= count)
        }
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
    init(_ job: SimulatedJob, images: Int) {
        self.init(
            id: job.id, name: job.name, state: job.state, message: job.message, createdAt: job.createdAt,
            images: images, pages: job.plan?.pages, media: job.options.paper.media, duplex: job.options.duplex,
            folder: job.folder)
        (completedAt, warnings, documents) = (job.completedAt, job.warnings, job.documents.count)
        requests = job.requests
        checks = job.failedChecks.map {
            FailedCheck($0.check.rawValue, pages: $0.pages, fonts: $0.fonts, message: $0.message)
        }
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
