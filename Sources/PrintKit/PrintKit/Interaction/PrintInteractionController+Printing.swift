// A job, from its content to its end.

import FoundationEssentials

extension PrintInteractionController {
    /// Prints without showing options (`print(to:completionHandler:)`).
    ///
    /// It returns when the job has ended; cancelling the task cancels it.
    ///
    /// Each of several `printingItems` is a job. All are submitted at once, in their order, so that the queue has them while the
    /// first one is printed. Cancelling the task cancels those that have not ended. A job that fails or that somebody cancels at the
    /// printer leaves the others alone: the call returns when all have ended, and throws the error of the first that failed.
    ///
    /// - Parameters:
    ///   - printer: Where to.
    ///   - copies: How many, if the printer can.
    ///   - pages: Which pages; no effect on `printingItems`.
    /// - Returns: Whether all was completed; false when a job was canceled.
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

    /// Prints without showing options, and tells how it ended.
    ///
    /// - Parameters:
    ///   - printer: Where to.
    ///   - copies: How many, if the printer can.
    ///   - pages: Which pages; no effect on `printingItems`.
    ///   - completion: Is told whether the job was completed, or why it failed.
    /// - Returns: The task, which can be cancelled.
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

    /// Finds a printer by identifier or name; for nil the one of `printInfo.printerID`, and without that the preferred one.
    ///
    /// - Throws: `printingNotAvailable` when there is none, or none of that name: nothing is printed elsewhere then.
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

    /// Carries out a job with the options chosen.
    ///
    /// Once its documents are drawn, another job may begin; what is said for that changes nothing in this one.
    ///
    /// - Parameter paper: The paper, if it has been chosen already.
    nonisolated(nonsending) func print(
        with options: PrinterOptions, on paper: PrintPaper? = nil
    ) async throws(PrintError) -> Bool {
        guard let content else { throw .noContentSet }
        guard !isDrawing else { throw .busy }
        let number = contentNumber
        delegate?.printInteractionControllerWillStartJob(self)
        defer {
            release(number)
            delegate?.printInteractionControllerDidFinishJob(self)
        }
        let folder = try ScratchFolder()
        guard let requests = try await makeRequests(of: content, for: options, on: paper, in: folder) else {
            return false
        }
        return try await submit(requests, to: options.printer, from: folder)
    }

    /// Draws or opens all there is; nil when the task was cancelled.
    private nonisolated(nonsending) func makeRequests(
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
            return documents.enumerated().map { index, document in
                var request = PrintRequest(
                    documentPath: document.path, title: options.title, pageCount: document.pageCount,
                    ticket: ticket(for: document, of: content, info: info, on: paper, with: options),
                    cutterBehavior: cutter)
                request.itemNumber = index + 1
                return request
            }
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
        let making = JobDocuments(paper: paper, info: printInfo, title: options.title, folder: folder)
        switch content {
        case .item(let item):
            let document = try making.document(of: item)
            guard options.pages.count(of: document.pageCount) > 0 else {
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

    /// Submits the requests as one job each, and passes their news on, here, where the controller lives.
    ///
    /// - Returns: Whether all were completed.
    /// - Throws: The error of the first request that failed, when all have ended.
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
            // First of all, as the program may end in the delegate, and the file would stay.
            if case .accepted = report { folder.remove(requests[item].documentPath) }
            delegate?.printInteractionController(self, didReceive: report)
        }
        let ends = await submission
        for case .failure(let error) in ends where !(error is CancellationError) {
            throw PrintError(error, while: "printing on '\(printer.displayName)'")
        }
        return ends.allSatisfy { if case .success(.completed) = $0 { true } else { false } }
    }
}

extension PrintDestination {
    /// Submits requests in their order, each when the one before it was accepted or has ended.
    ///
    /// A request that fails or is canceled leaves the others alone. When the task is cancelled, no further request is
    /// submitted.
    ///
    /// - Parameter report: Takes news of the jobs with the index of the request; from any thread.
    /// - Returns: How each request ended, when all have ended.
    fileprivate func submit(
        _ requests: [PrintRequest], to printer: Printer, report: @escaping @Sendable (Int, PrintReport) -> Void
    ) async -> [Result<PrintEnd, any Error>] {
        await withTaskGroup(of: (Int, Result<PrintEnd, any Error>).self) { group in
            for (index, request) in requests.enumerated() where !Task.isCancelled {
                let (acceptance, continuation) = AsyncStream<Never>.makeStream()
                group.addTask {
                    defer { continuation.finish() }
                    do {
                        let end = try await submit(request, to: printer) { news in
                            report(index, news)
                            if case .accepted = news { continuation.finish() }
                        }
                        return (index, .success(end))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                for await _ in acceptance {}
            }
            var ends = [Result<PrintEnd, any Error>](repeating: .success(.canceled), count: requests.count)
            for await (index, end) in group { ends[index] = end }
            return ends
        }
    }
}

extension PrintError {
    static let noContentSet = PrintError(
        .noContent,
        "there is nothing to print; set printingItem, printingItems, printFormatter or printPageRenderer first")

    static let busy = PrintError(
        .jobFailed,
        "the controller is drawing another job; wait until that has been drawn, or print with a controller of its own")

    static let noPrinters = PrintError(
        .printingNotAvailable, "there is no printer to print to; set the controller's destination to one that has some")

    static func noPrinter(named name: String, among printers: [Printer]) -> PrintError {
        let names = printers.map { "'\($0.displayName)'" }.joined(separator: ", ")
        return PrintError(
            .printingNotAvailable,
            "there is no printer '\(name)'; choose \(names.isEmpty ? "another destination" : names)")
    }
}
