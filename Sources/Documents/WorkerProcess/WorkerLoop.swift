// The main function of a worker process, which serves one request in a sandbox.

import CSandbox
import FoundationEssentials
import Glibc
package import PrintModel

/// The main function of a worker process, which serves one request from standard input with any `DocumentWorking`.
///
/// The process enters the sandbox before it opens a document.
///
///     WorkerLoop(worker: DocumentWorker()).run()     // all of print-worker's main
///
/// The order is important. Initialization that is slow or needs system files (`warmUp`) is done while the process waits
/// for its request. Then the process enters a sandbox for the paths of the request. Then it does the work. Before the
/// sandbox, the process has only one thread, because Landlock applies to the calling thread and the threads that it
/// starts.
package struct WorkerLoop<Worker: DocumentWorking> {
    /// A function that examines a prepared document and returns notices about its pages.
    package typealias Review = @Sendable (PrepareRequest, PreparedDocument) -> [String]

    /// The time limit for a review, in milliseconds.
    private static var longestReview: Int32 { 1000 }

    private let worker: Worker
    private let converter: (any DocumentConverting)?
    private let review: Review?
    private let warmUp: () -> Void

    /// Creates a loop.
    ///
    /// - Parameters:
    ///   - worker: The worker that serves the request.
    ///   - converter: The converter of documents that are not pages; nil if the worker converts no documents.
    ///   - review: A function that examines each prepared document. If the function crashes, fails or exceeds the time
    ///     limit, the document is still returned.
    ///   - warmUp: A function that runs before the request arrives. The function must not start threads.
    package init(
        worker: Worker, converter: (any DocumentConverting)? = nil, review: Review? = nil,
        warmUp: @escaping () -> Void = {}
    ) {
        self.worker = worker
        self.converter = converter
        self.review = review
        self.warmUp = warmUp
    }

    /// Serves the request and ends the process.
    ///
    /// The exit status is 0 on success, otherwise 1.
    package func run() -> Never {
        let replies = ReplyChannel.takingStandardOutput()
        warmUp()
        guard let line = StandardInput.readLine() else { _exit(0) }  // no request was sent
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
        StandardInput.endProcessAtEnd()
        serve(locked.request, replies)
    }

    private func serve(_ request: WorkerRequest, _ replies: ReplyChannel) -> Never {
        let (worker, converter, review) = (worker, converter, review)
        let thread = WorkThread()
        // No task awaits this task, because it ends the process.
        Task.detached(executorPreference: thread) {
            let report: @Sendable (WorkProgress) -> Void = { replies.send(.progress($0)) }
            let clock = PageClock(arguments: CommandLine.arguments)
            do throws(WorkError) {
                switch request {
                case .probe: break  // already answered in run()
                case .inspect(let document):
                    replies.end(.inspected(try await worker.inspect(document)))
                case .identify(let document):
                    guard let converter else { throw Self.noConverter }
                    replies.end(.identified(try await converter.identify(document)))
                case .convert(let request):
                    guard let converter else { throw Self.noConverter }
                    replies.end(.converted(try await converter.convert(request)))
                case .prepare(let request):
                    var document = try await worker.prepare(request, progress: report)
                    if let review {
                        replies.send(.drafted(document))
                        replies.end(.prepared(document), afterMilliseconds: Self.longestReview)
                        document.notices += review(request, document)
                    }
                    replies.end(.prepared(document))
                case .render(let request):
                    let document = try await worker.render(request) { progress in
                        report(progress)
                        clock.restart(after: progress, last: request.pages.upperBound, detours: request.detours)
                    }
                    replies.end(.rendered(document))
                case .rasterize(let request):
                    let document = try await worker.rasterize(request) { progress in
                        report(progress)
                        clock.restart(after: progress, last: request.lastImage, detours: request.detours)
                    }
                    replies.end(.rasterized(document))
                }
            } catch {
                replies.end(.failed(error))
            }
        }
        thread.run()
    }

    private static var noConverter: WorkError {
        WorkError(.workerUnavailable, "this worker converts no documents; reinstall printq")
    }
}
