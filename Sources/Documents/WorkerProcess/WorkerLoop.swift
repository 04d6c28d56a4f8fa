// The main function of a worker process, which serves one request in a sandbox.

import CSandbox
import FoundationEssentials
import Glibc
package import PrintModel

/// A set of documents that are open for viewing.
package struct DocumentView {
    /// The sizes and properties of the documents' pages.
    package var pages: OpenedPages
    /// A function that executes a view command and returns the response.
    package var answer: (ViewCommand) throws(WorkError) -> WorkerLine

    package init(pages: OpenedPages, answer: @escaping (ViewCommand) throws(WorkError) -> WorkerLine) {
        self.pages = pages
        self.answer = answer
    }
}

/// The main function of a worker process, which serves one request from standard input.
///
/// The process enters the sandbox before it opens a document.
///
///     WorkerLoop(worker: DocumentWorker()).run()     // all of print-worker's main
///
/// The order is important. Slow initialization (`warmUp`) runs in the process that forks the workers, before the
/// request arrives. Then the process enters a sandbox for the paths of the request. Finally, the process serves the
/// request. The process must have only one thread when it enters the sandbox. Landlock applies only to the calling
/// thread and to the threads that this thread starts later.
package struct WorkerLoop<Worker: DocumentWorking> {
    /// A function that examines a prepared document and returns notices about the pages.
    package typealias Review = @Sendable (PrepareRequest, PreparedDocument) -> [String]
    /// A function that opens documents for viewing.
    package typealias Viewer = (ViewRequest) throws(WorkError) -> DocumentView

    /// The maximum time for the review of a prepared document, in milliseconds.
    private static var longestReview: Int32 { 1000 }

    private let worker: Worker
    private let converter: (any DocumentConverting)?
    private let review: Review?
    private let viewer: Viewer?
    private let warmUp: () -> Void

    /// Creates the loop of a worker process.
    ///
    /// - Parameters:
    ///   - worker: The worker that serves the request.
    ///   - converter: The converter for documents that do not consist of pages; nil if the worker converts no
    ///     documents.
    ///   - review: A function that examines each prepared document. If the function crashes, fails or exceeds the time
    ///     limit, the document is still returned.
    ///   - viewer: A function that opens documents for viewing; nil if the worker does not display pages.
    ///   - warmUp: A function that runs once in a process that forks workers. The function must not start threads or
    ///     open documents of jobs, because its effects are shared by all workers.
    package init(
        worker: Worker, converter: (any DocumentConverting)? = nil, review: Review? = nil,
        viewer: Viewer? = nil, warmUp: @escaping () -> Void = {}
    ) {
        self.worker = worker
        self.converter = converter
        self.review = review
        self.viewer = viewer
        self.warmUp = warmUp
    }

    /// Serves the request and ends the process.
    ///
    /// With `--forks=SECONDS`, the process serves no request. It forks a worker for each request, with this limit of
    /// processor time, until its standard input is closed.
    ///
    /// The exit status is 0 on success, otherwise 1.
    package func run() -> Never {
        // The files of a worker of another user are for its spooler, a member of its group (`sandbox_host_processes`).
        if !CommandLine.arguments.contains(WorkerFileAccess.received) { umask(0o077) }
        let seconds = CommandLine.arguments.lazy.compactMap(Self.processorSeconds).first
        // Standard output is a socket for the numbers of the workers.
        if seconds != nil { dup2(STDERR_FILENO, STDOUT_FILENO) }
        if let seconds {
            warmUp()
            Self.warmUpCodec()
            if sandbox_fork_workers(seconds) != 0 { _exit(1) }
        }
        let replies = ReplyChannel.takingStandardOutput()
        let receivesFiles = CommandLine.arguments.contains(WorkerFileAccess.received)
        guard let line = StandardInput.readLine(receivingFiles: receivesFiles) else { _exit(0) }  // no request was sent
        guard let request = try? JSONDecoder().decode(WorkerRequest.self, from: line) else {
            replies.end(
                .failed(WorkError(.workerUnavailable, "the worker received an invalid request")))
        }
        let locked: ProcessSandbox.Locked
        do throws(WorkError) {
            locked = try ProcessSandbox.lock(for: request, arguments: CommandLine.arguments)
        } catch {
            replies.end(.failed(error))
        }
        if request == .probe { replies.end(.locked(locked.protections)) }
        replies.send(.locked(locked.protections))
        // The standard input of a view contains the commands.
        if case .view(let view) = locked.request.task { show(locked.request.complete(view), replies) }
        StandardInput.endProcessAtEnd()
        serve(locked.request, replies)
    }

    /// Returns the limit of processor time in the argument `--forks=SECONDS`; nil for other arguments.
    private static func processorSeconds(_ argument: String) -> UInt32? {
        argument.hasPrefix("--forks=") ? UInt32(argument.dropFirst("--forks=".count)) : nil
    }

    /// Encodes and decodes typical messages, because Swift finds the conformances of a type at their first use.
    private static func warmUpCodec() {
        let document = InputDocument(path: "/", format: .pdf, name: "/")
        let paper = PrintPaper(media: .a4)
        let imposition = Imposition(paper: paper)
        let requests: [WorkerRequest] = [
            .inspect(document),
            .prepare(PrepareRequest(documents: [document], imposition: imposition, output: "/")),
            .rasterize(RasterizeRequest(document: document, paper: paper, outputFolder: "/")),
        ]
        for request in requests {
            _ = try? JSONDecoder().decode(WorkerRequest.self, from: JSONEncoder().encode(request))
        }
        let image = PageImage(page: 1, file: "1", width: 1, height: 1)
        let lines: [WorkerLine] = [
            .locked(WorkerProtections(systemCalls: true, landlockVersion: 1)),
            .progress(WorkProgress(page: 1, total: 1, outcome: PageOutcome(image: image, notice: nil))),
            .prepared(PreparedDocument(impressions: 1, sheets: 1, pages: 1, notices: [""])),
            .rasterized(RasterizedDocument(pages: [image], impressions: 1, sheets: 1)),
        ]
        for line in lines { _ = try? JSONEncoder().encode(line) }
    }

    private func serve(_ request: WorkerRequest, _ replies: ReplyChannel) -> Never {
        let (worker, converter, review) = (worker, converter, review)
        let thread = WorkThread()
        // No task awaits this task, because it ends the process.
        Task.detached(executorPreference: thread) {
            let report: @Sendable (WorkProgress) -> Void = { replies.send(.progress($0)) }
            let clock = PageClock(arguments: CommandLine.arguments)
            do throws(WorkError) {
                switch request.task {
                case .probe, .view: break  // already answered in run()
                case .inspect:
                    replies.end(.inspected(try await worker.inspect(request.document)))
                case .identify:
                    guard let converter else { throw Self.noConverter }
                    replies.end(.identified(try await converter.identify(request.document)))
                case .convert(let task):
                    guard let converter else { throw Self.noConverter }
                    replies.end(.converted(try await converter.convert(request.complete(task))))
                case .prepare(let task):
                    let whole = request.complete(task)
                    var document = try await worker.prepare(whole, progress: report)
                    if let review {
                        replies.send(.drafted(document))
                        replies.end(.prepared(document), afterMilliseconds: Self.longestReview)
                        document.notices += review(whole, document)
                    }
                    replies.end(.prepared(document))
                case .render(let task):
                    let document = try await worker.render(request.complete(task)) { progress in
                        report(progress)
                        clock.restart(after: progress, last: task.pages.upperBound, fallbacks: task.fallbacks)
                    }
                    replies.end(.rendered(document))
                case .rasterize(let task):
                    let document = try await worker.rasterize(request.complete(task)) { progress in
                        report(progress)
                        clock.restart(after: progress, last: task.lastImage, fallbacks: task.fallbacks)
                    }
                    replies.end(.rasterized(document))
                }
            } catch {
                replies.end(.failed(error))
            }
        }
        thread.run()
    }

    /// Opens documents, and executes the view commands from standard input until standard input ends.
    private func show(_ request: ViewRequest, _ replies: ReplyChannel) -> Never {
        let clock = PageClock(arguments: CommandLine.arguments)
        let view: DocumentView
        do throws(WorkError) {
            guard let viewer else {
                throw WorkError(.workerUnavailable, "this worker cannot display pages; reinstall printq")
            }
            view = try viewer(request)
        } catch {
            replies.end(.failed(error))
        }
        replies.send(.opened(view.pages))
        while let line = StandardInput.readLine() {
            guard let command = try? JSONDecoder().decode(ViewCommand.self, from: line) else {
                replies.end(.failed(WorkError(.workerUnavailable, "the worker received an invalid command")))
            }
            if case .draw(let tile) = command {
                clock.start(isFallback: tile.fallback != nil)
            } else {
                clock.start(isFallback: false)
            }
            do throws(WorkError) {
                let answer = try view.answer(command)
                clock.stop()
                replies.send(answer)
            } catch {
                clock.stop()
                replies.send(.failed(error))
            }
        }
        _exit(0)
    }

    private static var noConverter: WorkError {
        WorkError(.workerUnavailable, "this worker cannot convert documents; reinstall printq")
    }
}
