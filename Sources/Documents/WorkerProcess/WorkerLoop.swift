// The life of a worker process: one request, done behind fences, and out.

import CSandbox
import FoundationEssentials
import Glibc
package import PrintModel

/// Serves one request from standard input with any `DocumentWorking`, locked in before it opens a document.
///
///     WorkerLoop(worker: DocumentWorker()).run()     // all of print-worker's main
///
/// The order matters. What needs files of the system or is slow and the same for everyone (`warmUp`) happens while
/// the process waits for its request. Then come the fences, cut to the request's own paths, then the work.
/// Until then the process has one thread, because Landlock holds a thread and those it starts.
package struct WorkerLoop<Worker: DocumentWorking> {
    /// Looks at a prepared document and returns notices about its pages.
    package typealias Review = @Sendable (PrepareRequest, PreparedDocument) -> [String]

    /// How long a review may take, in milliseconds: it is never worth more of a job's time.
    private static var longestReview: Int32 { 1000 }

    private let worker: Worker
    private let review: Review?
    private let warmUp: () -> Void

    /// A loop around what does the work.
    ///
    /// - Parameters:
    ///   - review: Looks at each prepared document. It may crash, fail or take too long without harm to the document.
    ///   - warmUp: Runs before the request is there; it must not start threads.
    package init(worker: Worker, review: Review? = nil, warmUp: @escaping () -> Void = {}) {
        self.worker = worker
        self.review = review
        self.warmUp = warmUp
    }

    /// Serves the request and ends the process: with status 0 when it was done, else 1.
    package func run() -> Never {
        let replies = ReplyChannel.takingStandardOutput()
        warmUp()
        guard let line = Self.readLine() else { _exit(0) }  // not needed after all
        guard let request = try? JSONDecoder().decode(WorkerRequest.self, from: line) else {
            replies.end(
                .failed(WorkError(.workerUnavailable, "the worker was sent a request that it does not understand")))
        }
        let locked: ProcessSandbox.Locked
        do throws(WorkError) {
            locked = try ProcessSandbox.lock(for: request, arguments: CommandLine.arguments)
        } catch {
            replies.end(.failed(error))
        }
        if request == .probe { replies.end(.locked(locked.protections)) }
        replies.send(.locked(locked.protections))
        Self.endWithStandardInput()
        serve(locked.request, replies)
    }

    private func serve(_ request: WorkerRequest, _ replies: ReplyChannel) -> Never {
        let (worker, review) = (worker, review)
        let thread = WorkThread()
        // Nobody awaits this task because it ends the process.
        Task.detached(executorPreference: thread) {
            let report: @Sendable (WorkProgress) -> Void = { replies.send(.progress($0)) }
            let clock = PageClock(arguments: CommandLine.arguments)
            do throws(WorkError) {
                switch request {
                case .probe: break  // answered when locked
                case .inspect(let document):
                    replies.end(.inspected(try await worker.inspect(document)))
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

    /// Ends the process when standard input ends: whoever sent the request keeps it open while the answer is wanted.
    private static func endWithStandardInput() {
        var thread = pthread_t()
        let watch: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR { errno = 0 }
            _exit(1)
        }
        guard pthread_create(&thread, nil, watch, nil) == 0 else { _exit(1) }
    }

    /// One line of standard input without its end, or nil when there is no whole line.
    ///
    /// Reads byte blocks until the line is there; what follows the line is nobody's.
    private static func readLine() -> Data? {
        var line = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            if let end = block[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: block[..<end])
                return line
            }
            line.append(contentsOf: block[..<count])
        }
    }
}
