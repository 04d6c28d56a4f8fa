// Presents the printer options.

import FoundationEssentials

extension PrintInteractionController {
    /// Shows the printer options, and prints when the person accepts the options
    /// (`present(animated:completionHandler:)`).
    ///
    /// A second call during the presentation hides the options. A third call shows the options again. The chosen
    /// printer is stored in `printInfo.printerID` and is preselected the next time.
    ///
    /// - Parameter style: The preferred form of presentation.
    /// - Returns: Whether a job was completed. The value is false when the options were canceled or hidden, or when the
    ///   job was canceled.
    /// - Throws: `PrintError`: `noContent`, `unknownImageFormat`, `printingNotAvailable` or `jobFailed`.
    @discardableResult
    public nonisolated(nonsending) func present(
        as style: PresentationStyle = .automatic
    ) async throws(PrintError) -> Bool {
        guard let (options, paper) = try await choose(style) else { return false }
        return try await print(with: options, on: paper)
    }

    /// Shows the printer options, and submits the job when the person accepts the options.
    ///
    /// The method differs from `present(as:)` only in its result: it returns when the destination has accepted the job,
    /// as `submit(to:)` does.
    ///
    /// - Returns: The job; `nil` when the options were canceled or hidden.
    /// - Throws: `PrintError`: `noContent`, `unknownImageFormat`, `printingNotAvailable` or `jobFailed`.
    public nonisolated(nonsending) func presentAndSubmit(
        as style: PresentationStyle = .automatic
    ) async throws(PrintError) -> PrintJob? {
        guard let (options, paper) = try await choose(style) else { return nil }
        return try await submit(with: options, on: paper)
    }

    /// Shows the options, or hides the options that are shown.
    ///
    /// - Returns: The chosen options, and the paper if the paper was chosen already; `nil` when the options were canceled
    ///   or hidden.
    private nonisolated(nonsending) func choose(
        _ style: PresentationStyle
    ) async throws(PrintError) -> (PrinterOptions, PrintPaper?)? {
        guard presentation == nil else {
            dismiss()
            return nil
        }
        guard content != nil else { throw .noContentSet }
        guard !isDrawing else { throw .busy }
        let presentation = Presentation()
        guard let options = try await choose(style, in: presentation) else { return nil }
        printInfo.printerID = options.printer.id
        return (options, presentation.paper(for: options))
    }

    /// Shows the printer options, prints when the person accepts the options, and passes the result to a closure.
    ///
    /// - Parameter completion: A closure that receives whether a job was completed, and the error if an error occurred.
    ///   The values are `false` and `nil` when the options were canceled or hidden, or when the job was canceled.
    /// - Returns: The task. Canceling the task hides the options or cancels the job.
    @MainActor @discardableResult
    public func present(
        as style: PresentationStyle = .automatic,
        completion: @escaping @MainActor (PrintInteractionController, Bool, PrintError?) -> Void
    ) -> Task<Void, Never> {
        Task { @MainActor in
            do throws(PrintError) {
                let isCompleted = try await self.present(as: style)
                completion(self, isCompleted, nil)
            } catch {
                completion(self, false, error)
            }
        }
    }

    /// Hides the printer options if the options are shown.
    ///
    /// The presenting call returns false. The options can be presented again immediately.
    public func dismiss() {
        presentation?.hide()
        presentation = nil
    }

    /// Shows the options, and returns the options after the person's changes.
    ///
    /// Returns `nil` when the options were canceled or hidden.
    private nonisolated(nonsending) func choose(
        _ style: PresentationStyle, in own: Presentation
    ) async throws(PrintError) -> PrinterOptions? {
        let last = lastPresentation
        (presentation, lastPresentation) = (own, own)
        defer {
            own.end()
            if presentation === own { presentation = nil }
            if lastPresentation === own { lastPresentation = nil }
        }
        // Only one presentation can be visible, so a hidden presentation must disappear first.
        await last?.untilGone()
        guard !own.isHidden else { return nil }
        let options = try await makeOptions(style, in: own)
        guard !own.isHidden else { return nil }
        return try await show(options, in: own)
    }

    /// The initial values come from the print info.
    private nonisolated(nonsending) func makeOptions(
        _ style: PresentationStyle, in own: Presentation
    ) async throws(PrintError) -> PrinterOptions {
        let printers = await destination.contactedPrinters()
        let found: [Printer]
        do { found = try printers.get() } catch { throw PrintError(error, while: "looking for printers") }
        guard !found.isEmpty else { throw .noPrinters }
        let preselected = printInfo.printerID.flatMap { id in found.firstIndex { $0.id == id || $0.displayName == id } }
        let draft = PrinterOptions(title: jobName, printers: found, printerIndex: preselected ?? 0)
        let showsPages = showsPageRange && content?.allowsPageRange == true
        return PrinterOptions(
            title: jobName, printers: found, printerIndex: draft.printerIndex,
            pageCount: showsPages ? try await countPages(for: draft, in: own) : nil, duplex: printInfo.duplex,
            style: style,
            showsCopies: showsNumberOfCopies, showsPages: showsPages, showsPapers: showsPaperSelectionForLoadedPapers)
    }

    /// Returns the number of pages that the content has on the chosen printer's paper; `nil` if the number is not
    /// known.
    private nonisolated(nonsending) func countPages(
        for options: PrinterOptions, in own: Presentation
    ) async throws(PrintError) -> Int? {
        if case .item(let item) = content {
            let folder = try ScratchFolder()
            switch try OpenedItem(item, in: folder, types: destination.documentTypes) {
            case .pdf(_, let count): return count
            case .image: return 1
            case .convertible: return nil
            }
        }
        guard let renderer = content?.renderer else { return nil }
        let paper = if let known = own.paper(for: options) { known } else { try choosePaper(for: options) }
        if options.paper == nil { own.paper = (options.printer.id, paper) }
        renderer.use(paper, orientation: printInfo.orientation)
        await renderer.prepareLayout()
        return renderer.numberOfPages
    }

    private nonisolated(nonsending) func show(
        _ options: PrinterOptions, in own: Presentation
    ) async throws(PrintError) -> PrinterOptions? {
        let presenter = delegate?.printInteractionControllerParent(self) ?? optionsPresenter
        delegate?.printInteractionControllerWillPresentPrinterOptions(self)
        let (questions, ask) = AsyncStream.makeStream(of: PageQuestion.self)
        var options = options
        if options.showsPages { options.counter = { await PageQuestion.answer(for: $0, asking: ask) } }
        let task = Task<PrinterOptions?, any Error> { [options] in
            defer { ask.finish() }
            return try await presenter.presentOptions(options)
        }
        own.showing = task
        if own.isHidden { task.cancel() }
        delegate?.printInteractionControllerDidPresentPrinterOptions(self)
        defer { delegate?.printInteractionControllerDidDismissPrinterOptions(self) }
        let result = await withTaskCancellationHandler {
            // The content is laid out on the controller's actor, not on the actor that shows the options.
            for await question in questions {
                question.reply.yield(try? await countPages(for: question.options, in: own))
            }
            return await task.result
        } onCancel: {
            task.cancel()
        }
        delegate?.printInteractionControllerWillDismissPrinterOptions(self)
        do {
            return task.isCancelled ? nil : try result.get()
        } catch is CancellationError {
            return nil
        } catch {
            throw PrintError(error, while: "showing the printer options")
        }
    }
}

private struct PageQuestion: Sendable {
    var options: PrinterOptions
    var reply: AsyncStream<Int?>.Continuation

    static func answer(for options: PrinterOptions, asking ask: AsyncStream<PageQuestion>.Continuation) async -> Int? {
        let (replies, reply) = AsyncStream.makeStream(of: Int?.self)
        if case .terminated = ask.yield(PageQuestion(options: options, reply: reply)) { return nil }
        for await count in replies { return count }
        return nil
    }
}

extension PrintDestination {
    /// Printers that do not respond have no capabilities.
    func contactedPrinters() async -> Result<[Printer], any Error> {
        do {
            let printers = try await printers()
            return .success(
                await withTaskGroup(of: (Int, Printer).self) { group in
                    for (index, printer) in printers.enumerated() {
                        group.addTask {
                            var printer = printer
                            if printer.capabilities == nil { _ = await printer.contactPrinter() }
                            return (index, printer)
                        }
                    }
                    var contacted = printers
                    for await (index, printer) in group { contacted[index] = printer }
                    return contacted
                })
        } catch {
            return .failure(error)
        }
    }
}
