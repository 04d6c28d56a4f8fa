// Shows the pages of documents on a terminal, as print-preview draws them.

import AsyncPrimitives
import DocumentInteraction
import DocumentPreviews
import FoundationEssentials
import Glibc
import PrintModel
import Synchronization
import TerminalImages

/// A preview of the pages of several items.
struct PagePreview: Sendable {
    /// The maximum number of pages of each item.
    private static let imageLimit = 100

    private let path: String
    private let environment: [String: String]
    private let browser: PageBrowser
    private let documents: [InputDocument]
    /// The index of the item of each document.
    private let indices: [Int]

    /// Returns `nil` if no item can be previewed.
    init?(_ pages: [PreviewPage], index: Int, terminal path: String, environment: [String: String]) {
        (self.path, self.environment) = (path, environment)
        let shown = pages.indices.filter { pages[$0].typeName != nil && pages[$0].url != nil }
        guard !shown.isEmpty else { return nil }
        var browser = PageBrowser(names: pages.map { TerminalText($0.title).text })
        for index in pages.indices {
            if pages[index].typeName == nil { browser.fail(index, because: "This item cannot be previewed.") }
            if pages[index].canPrint { browser.offerPrinting(of: index) }
        }
        browser.show(index)
        self.browser = browser
        indices = shown
        documents = shown.map { index in
            let path = pages[index].url?.path ?? ""
            return InputDocument(path: path, name: path.split(separator: "/").last.map(String.init))
        }
    }

    /// Shows the pages until the person closes the preview, prints an item, or the task is canceled.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal; `CancellationError`.
    func run(_ graphics: TerminalGraphics) async throws -> PreviewEnd {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The thread blocks until a key is pressed, so it must not be a thread of the Swift task pool.
                let code = DedicatedThread.start {
                    continuation.resume(with: Result { try follow(graphics, cancellation) })
                }
                precondition(code == 0, "cannot create a thread")
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func follow(_ graphics: TerminalGraphics, _ cancellation: Cancellation) throws -> PreviewEnd {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        guard let terminal = RawTerminal(input: descriptor, output: descriptor, handlesSignals: false) else {
            throw PrintError(
                .printingNotAvailable,
                "cannot show the preview because '\(path)' is no terminal, or shows another preview; "
                    + "set the controller's presenter")
        }
        let process = try makeProcess()
        defer { process.end() }
        cancellation.onCancel(shutDown: process.descriptor)
        var viewer = TerminalPageViewer(
            browser, on: terminal, as: graphics.confirmed(by: terminal.askForGraphics(), in: environment))
        _ = viewer.run(source: process.descriptor) { browser in
            do throws(PreviewProcess.Failure) {
                for event in try process.available() {
                    browser.take(
                        event, limit: Self.imageLimit, indices: indices, cleaned: { TerminalText($0).text })
                }
                // print-preview runs until the end, so that its end reports the cancellation.
                return true
            } catch {
                if cancellation.isCanceled { browser.handle(.quit) }
                browser.failAll(because: "print-preview has ended unexpectedly; run 'printq doctor'")
                return false
            }
        }
        cancellation.finish()
        if cancellation.isCanceled { throw CancellationError() }
        return PreviewEnd(index: viewer.browser.index, isPrinting: viewer.browser.isPrinting)
    }

    private func makeProcess() throws(PrintError) -> PreviewProcess {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/printkit-preview-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw PrintError(
                .jobFailed, "cannot create a temporary folder for the preview: \(String(cString: strerror(errno)))")
        }
        let folder = String(cString: made)
        // print-preview removes the temporary folder at its end.
        let request = PreviewRequest(
            documents: documents, folder: folder, isTemporary: true, imageLimit: Self.imageLimit)
        let spool = environment["PRINTQ_SPOOL"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        do throws(PreviewProcess.Failure) { return try PreviewProcess(request, spool: spool) } catch {
            rmdir(folder)
            throw PrintError(.printingNotAvailable, "cannot start print-preview; reinstall printq", cause: error)
        }
    }

    /// The cancellation of a preview, which ends the wait of its thread for keys and pages.
    private final class Cancellation: Sendable {
        private struct State {
            var isCanceled = false
            var descriptor: Int32?
        }

        private let state = Mutex(State())

        var isCanceled: Bool { state.withLock { $0.isCanceled } }

        func cancel() {
            state.withLock { state in
                state.isCanceled = true
                if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }

        /// Shuts a socket down when the preview is canceled, or now if it was canceled already.
        func onCancel(shutDown descriptor: Int32) {
            state.withLock { state in
                state.descriptor = descriptor
                if state.isCanceled { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }

        /// Forgets the socket before it is closed.
        func finish() { state.withLock { $0.descriptor = nil } }
    }
}
