// Runs a job, from its content to its end.

import FoundationEssentials

extension PrintInteractionController {
    /// Prints without showing options (`print(to:completionHandler:)`).
    ///
    /// For a single job, the call returns when the job has ended. Canceling the task cancels the job.
    ///
    /// Several `printingItems` are one job if the destination accepts several documents. Otherwise, each item is a
    /// separate job. The jobs are submitted in order. The controller does not wait until a job has been printed before
    /// it submits the next job. A job that fails or is canceled at the printer does not affect the other jobs.
    ///
    /// For several jobs, the call returns when all jobs have ended, and throws the error of the first job that failed.
    /// Canceling the task cancels all jobs that have not ended.
    ///
    /// - Parameters:
    ///   - copies: The number of copies, if the printer supports copies.
    ///   - pages: The pages to print. This parameter is ignored for `printingItems`.
    /// - Returns: Whether all jobs were completed. The value is false when a job was canceled.
    /// - Throws: `PrintError`: `noContent`, `unknownImageFormat`, `printingNotAvailable` or `jobFailed`.
    @discardableResult
    public nonisolated(nonsending) func print(
        to printer: Printer, copies: Int = 1, pages: PageRanges = .all
    ) async throws(PrintError) -> Bool {
        var options = PrinterOptions(
            title: jobName, printers: [try await printer.contacted()], duplex: printInfo.duplex)
        (options.copies, options.pages) = (max(1, copies), pages)
        return try await print(with: options)
    }

    /// Prints as `print(to:copies:pages:)` does, and passes the result to a closure.
    ///
    /// - Parameter completion: A closure that receives whether the job was completed, and the error if the job failed.
    /// - Returns: The task. Canceling the task cancels the job.
    @MainActor @discardableResult
    public func print(
        to printer: Printer, copies: Int = 1, pages: PageRanges = .all,
        completion: @escaping @MainActor (PrintInteractionController, Bool, PrintError?) -> Void
    ) -> Task<Void, Never> {
        Task { @MainActor in
            do throws(PrintError) {
                let isCompleted = try await self.print(to: printer, copies: copies, pages: pages)
                completion(self, isCompleted, nil)
            } catch {
                completion(self, false, error)
            }
        }
    }

    /// Returns the printer with the given identifier or name.
    ///
    /// If the name is `nil`, the method returns the printer in `printInfo.printerID`. If `printerID` is not set, the
    /// method returns the preferred printer.
    ///
    /// - Throws: `printingNotAvailable` when no printer has this name, or there is no printer.
    public nonisolated(nonsending) func printer(named name: String?) async throws(PrintError) -> Printer {
        let name = name ?? printInfo.printerID
        let printers: [Printer]
        do {
            if let name, let printer = try await destination.printer(withID: name) { return printer }
            printers = try await destination.printers()
        } catch {
            throw PrintError(error, while: "looking for printers")
        }
        guard let name else {
            guard let first = printers.first else { throw .noPrinters }
            return first
        }
        guard let printer = printers.first(where: { $0.displayName == name }) else {
            throw .noPrinter(named: name, among: printers)
        }
        return printer
    }

    /// Prints a job with the chosen options.
    ///
    /// After the documents of a job have been drawn, the next job can begin. Changes for the next job do not affect the
    /// previous job.
    ///
    /// - Parameter paper: The paper, if the paper was chosen already.
    nonisolated(nonsending) func print(
        with options: PrinterOptions, on paper: PrintPaper? = nil
    ) async throws(PrintError) -> Bool {
        let (content, number) = try beginJob()
        defer { endJob(number) }
        let folder = try ScratchFolder()
        guard let requests = try await makeRequests(of: content, for: options, on: paper, in: folder) else {
            return false
        }
        return try await submit(requests, to: options.printer, from: folder)
    }

    /// Tells the delegate that a job begins, and returns the content of the job.
    func beginJob() throws(PrintError) -> (content: PrintContent, number: Int) {
        guard let content else { throw .noContentSet }
        guard !isDrawing else { throw .busy }
        let number = contentNumber
        delegate?.printInteractionControllerWillStartJob(self)
        return (content, number)
    }

    /// Releases the content of a job, and tells the delegate that the job has ended.
    func endJob(_ number: Int) {
        release(number)
        delegate?.printInteractionControllerDidFinishJob(self)
    }

    /// Draws or opens all documents.
    ///
    /// Returns `nil` when the task was canceled.
    nonisolated(nonsending) func makeRequests(
        of content: PrintContent, for options: PrinterOptions, on chosen: PrintPaper?, in folder: ScratchFolder
    ) async throws(PrintError) -> [PrintRequest]? {
        isDrawing = true
        defer { isDrawing = false }
        let paper: PrintPaper
        if let chosen { paper = chosen } else { paper = try choosePaper(for: options) }
        printPaper = paper
        let cutter = chooseCutter(for: options.printer, on: paper)
        let info = printInfo
        do {
            let documents = try await makeDocuments(of: content, on: paper, for: options, in: folder)
            let requests = documents.enumerated().map { index, document in
                var request = PrintRequest(
                    documentPath: document.path, title: options.title, pageCount: document.pageCount,
                    ticket: ticket(for: document, of: content, info: info, on: paper, with: options),
                    cutterBehavior: cutter)
                request.itemNumber = index + 1
                request.documentFormat = document.type?.formats.first ?? .pdf
                return request
            }
            return options.printer.destination.acceptsSeveralDocuments ? PrintRequest.combined(requests) : requests
        } catch is CancellationError {
            return nil
        } catch {
            throw PrintError(error, while: "drawing the job")
        }
    }

    private func ticket(
        for document: JobDocuments.Document, of content: PrintContent, info: PrintInfo, on paper: PrintPaper,
        with options: PrinterOptions
    ) -> JobTicket {
        var ticket = info.ticket
        ticket.media = paper.media
        ticket.mediaType = paper.type
        ticket.duplex = options.effectiveDuplex
        if options.copies > 1 { ticket.copies = options.copies }
        if document.isDrawn {
            ticket.scaling = PrintScaling.none
        } else if content.allowsPageRange, options.pages != .all {
            ticket.pageRanges = options.pages
        }
        return ticket
    }

    private nonisolated(nonsending) func makeDocuments(
        of content: PrintContent, on paper: PrintPaper, for options: PrinterOptions, in folder: ScratchFolder
    ) async throws -> [JobDocuments.Document] {
        let making = JobDocuments(
            paper: paper, info: printInfo, title: options.title, folder: folder, printer: options.printer)
        switch content {
        case .item(let item):
            let document = try making.document(of: item)
            guard document.type != nil || options.pages.count(of: document.pageCount) > 0 else {
                throw PrintError.noSuchPages(options.pages, of: document.pageCount)
            }
            return [document]
        case .items(let items):
            guard !items.isEmpty else { throw PrintError.noContentSet }
            var documents: [JobDocuments.Document] = []
            for item in items {
                documents.append(try making.document(of: item))
                try Task.checkCancellation()
                await Task.yield()
            }
            return documents
        case .formatter, .renderer:
            guard let renderer = content.renderer else { return [] }
            return [try await making.document(of: renderer, pages: options.pages, timeLimit: drawingTimeLimit)]
        }
    }

    /// Submits each request as one job, and reports progress to the delegate on the controller's actor.
    ///
    /// - Returns: Whether all jobs were completed.
    /// - Throws: The error of the first failed request, after all jobs have ended.
    private nonisolated(nonsending) func submit(
        _ requests: [PrintRequest], to printer: Printer, from folder: ScratchFolder
    ) async throws(PrintError) -> Bool {
        let (news, continuation) = AsyncStream<(item: Int, report: PrintReport)>.makeStream()
        async let submission = {
            defer { continuation.finish() }
            return await printer.destination.submit(requests, to: printer) {
                continuation.yield((item: $0, report: $1))
            }
        }()
        for await (item, report) in news {
            // The file is removed first, because the delegate may end the program.
            if case .accepted = report { requests[item].paths.forEach(folder.remove) }
            delegate?.printInteractionController(self, didReceive: report)
        }
        let ends = await submission
        for case .failure(let error) in ends where !(error is CancellationError) {
            throw PrintError(error, while: "printing on '\(printer.displayName)'")
        }
        return ends.allSatisfy { if case .success(.completed) = $0 { true } else { false } }
    }
}

extension PrintError {
    static let noContentSet = PrintError(
        .noContent,
        "there is nothing to print; set printingItem, printingItems, printFormatter or printPageRenderer first")

    static let busy = PrintError(
        .jobFailed,
        "the controller is drawing another job; wait for that job, or use another controller")

    static let noPrinters = PrintError(
        .printingNotAvailable, "no printer is available; set another destination for the controller")

    static func noPrinter(named name: String, among printers: [Printer]) -> PrintError {
        let names = printers.map { "'\($0.displayName)'" }.joined(separator: ", ")
        return PrintError(
            .printingNotAvailable,
            "there is no printer '\(name)'; choose \(names.isEmpty ? "another destination" : names)")
    }
}
