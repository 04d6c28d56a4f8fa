// Limits the processor time for each page.

import Glibc
import PrintModel

/// A timer that limits the CPU time of each page.
///
/// The kernel ends the process with `SIGPROF` if a page exceeds the limit. The timer counts the time of all threads of
/// the process. Without limits, the timer does not start, so developers can run a worker manually and in a debugger.
struct PageClock: Sendable {
    /// The time limit in seconds for a page with the usual rendering method; nil for no limit.
    private let usual: Int?
    /// The time limit in seconds for a page that is rendered again with another method, because the usual method has
    /// failed; nil for no limit.
    private let fallback: Int?

    /// Reads the limits from the command line, such as `--page-seconds=10 --fallback-seconds=60`.
    init(arguments: [String]) {
        func seconds(_ option: String) -> Int? {
            arguments.first { $0.hasPrefix(option) }.flatMap { Int($0.dropFirst(option.count)) }
        }
        usual = seconds("--page-seconds=")
        fallback = seconds("--fallback-seconds=")
    }

    /// Restarts the timer for the next page, or stops the timer after the last page.
    ///
    /// - Parameters:
    ///   - last: The last requested page; nil means the last page of the documents.
    ///   - fallbacks: The pages that use another rendering method.
    func restart(after progress: WorkProgress, last: Int?, fallbacks: [Int: RenderingFallback]) {
        let next = progress.page + 1
        let isOver = next > min(last ?? progress.total, progress.total)
        set(isOver ? nil : fallbacks[next] == nil ? usual : fallback)
    }

    /// Restarts the timer for one page that is drawn for viewing.
    ///
    /// - Parameter isFallback: Whether a method other than the usual rendering method draws the page.
    func start(isFallback: Bool) { set(isFallback ? fallback : usual) }

    /// Stops the timer.
    func stop() { set(nil) }

    private func set(_ seconds: Int?) {
        guard usual != nil || fallback != nil else { return }
        var timer = itimerval()
        timer.it_value.tv_sec = seconds ?? 0
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
