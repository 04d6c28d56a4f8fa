// The time that a page may take.

import Glibc
import PrintModel

/// Bounds the processor time of each page: the kernel ends the process by `SIGPROF` when a page takes longer.
///
/// The clock counts the time of all threads of the process. Without limits it does nothing, so that a worker can be run by
/// hand and in a debugger.
struct PageClock: Sendable {
    /// The seconds for a page that is drawn in the usual way; nil for no limit.
    private let usual: Int?
    /// The seconds for a page that is made in another way, because the usual way failed.
    private let detour: Int?

    /// Reads the limits from the command line: `--page-seconds=10 --detour-seconds=60`.
    init(arguments: [String]) {
        func seconds(_ option: String) -> Int? {
            arguments.first { $0.hasPrefix(option) }.flatMap { Int($0.dropFirst(option.count)) }
        }
        usual = seconds("--page-seconds=")
        detour = seconds("--detour-seconds=")
    }

    /// Starts the time of the page after the one that was just done; stops the clock after the last page.
    ///
    /// - Parameters:
    ///   - last: The last page that is asked for; nil for the last one of the documents.
    ///   - detours: The pages that are made in another way.
    func restart(after progress: WorkProgress, last: Int?, detours: [Int: RenderingFallback]) {
        let next = progress.page + 1
        let isOver = next > min(last ?? progress.total, progress.total)
        set(isOver ? nil : detours[next] == nil ? usual : detour)
    }

    private func set(_ seconds: Int?) {
        guard usual != nil || detour != nil else { return }
        var timer = itimerval()
        timer.it_value.tv_sec = seconds ?? 0
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
