// Showing printer options.

import FoundationEssentials

extension PrintInteractionController {
    /// Shows the printer options, and prints when they are accepted (`present(animated:completionHandler:)`).
    ///
    /// While they are shown, a second call hides them; another shows them again. The printer that was chosen stays in
    /// `printInfo.printerID`, and is preselected the next time.
    ///
    /// - Parameter style: In which form they are best shown.
    /// - Returns: Whether a job was completed; false when the options were cancelled or hidden, or the job was canceled.
    /// - Throws: `PrintError`: `noContent`, `unknownImageFormat`, `printingNotAvailable` or `jobFailed`.
    @discardableResult
    public nonisolated(nonsending) func present(
        as style: PresentationStyle = .automatic
    ) async throws(PrintError) -> Bool {
        guard presentation == nil else {
            dismiss()
            return false
        }
        guard content != nil else { throw .noContentSet }
        guard !isDrawing else { throw .busy }
        let presentation = Presentation()
        guard let options = try await choose(style, in: presentation) else { return false }
        printInfo.printerID = options.printer.id
        return try await print(with: options, on: presentation.paper(for: options))
    }

    /// Shows the printer options, and tells how it ended: with `false, nil` when they were cancelled.
    ///
    /// - Returns: The task, which can be cancelled.
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

    /// Hides the printer options, if they are shown; who presented them gets false, and they can be presented again at once.
    public func dismiss() {
        presentation?.hide()
        presentation = nil
    }

    /// The options as a person chose them; nil when they were cancelled or hidden.
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
        // There is one surface: what was hidden a moment ago leaves it first.
        await last?.untilGone()
        guard !own.isHidden else { return nil }
        let options = try await makeOptions(style, in: own)
        guard !own.isHidden else { return nil }
        return try await show(options, in: own)
    }

    /// What there is to choose, preselected by the print info.
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
            pageCount: showsPages ? try countPages(for: draft, in: own) : nil, duplex: printInfo.duplex, style: style,
            showsCopies: showsNumberOfCopies, showsPages: showsPages, showsPapers: showsPaperSelectionForLoadedPapers)
    }

    /// How many pages there are on the chosen printer's paper.
    private func countPages(for options: PrinterOptions, in own: Presentation) throws(PrintError) -> Int? {
        if case .item(let item) = content {
            let folder = try ScratchFolder()
            switch try OpenedItem(item, in: folder) {
            case .pdf(_, let count): return count
            case .image: return 1
            }
        }
        guard let renderer = content?.renderer else { return nil }
        let paper = if let known = own.paper(for: options) { known } else { try choosePaper(for: options) }
        if options.paper == nil { own.paper = (options.printer.id, paper) }
        renderer.use(paper, orientation: printInfo.orientation)
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
            // The content is laid out where the controller is used, and not where the options are shown.
            for await question in questions {
                question.reply.yield(try? countPages(for: question.options, in: own))
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

/// A presenter wants to know how many pages there are for other choices than before.
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
    /// The printers, each asked what it can do; those that do not answer say nothing.
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
