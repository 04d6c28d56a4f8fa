// Completes names of printers and numbers of jobs in shells.

import ArgumentParser
import Glibc
import IPPClient
import PrintIPP
import SpoolerClient

extension CompletionKind {
    /// The names of the spool's printers.
    static var printers: CompletionKind { .custom { words, _, _ in await CompletionSource(words).printers() } }

    /// The names of the hosts that share the queue.
    static var hosts: CompletionKind { .custom { words, _, _ in await CompletionSource(words).hosts() } }

    /// The numbers of the jobs that are waiting or printing.
    static var unfinishedJobs: CompletionKind {
        .custom { words, _, _ in await CompletionSource(words).jobs(.notCompleted) }
    }

    /// The numbers of the jobs that are waiting or printing, followed by the numbers of the most recently ended jobs.
    static var jobs: CompletionKind {
        .custom { words, _, _ in
            let source = CompletionSource(words)
            return await source.jobs(.notCompleted) + source.jobs(.completed)
        }
    }

    /// The numbers of the most recently ended jobs.
    static var endedJobs: CompletionKind {
        .custom { words, _, _ in await CompletionSource(words).jobs(.completed) }
    }

    /// The numbers of the jobs that are waiting or printing, and the names of the printers.
    static var unfinishedJobsAndPrinters: CompletionKind {
        .custom { words, _, _ in
            let source = CompletionSource(words)
            return await source.jobs(.notCompleted) + source.printers()
        }
    }
}

/// The spool for which the shell completes a command line.
///
/// Shell completion never starts printd, writes no errors, and ends after one second.
struct CompletionSource {
    private let spooler: Spooler?

    /// The maximum number of jobs that shell completion offers.
    ///
    /// A shell shows all offered jobs together.
    private static let jobLimit = 50

    /// Finds the spool of the command line: the value of `--spool`, or the default spool without this option.
    init(_ words: [String]) {
        let timeLimit: UInt32 = 1
        signal(SIGALRM) { _ in _exit(0) }
        alarm(timeLimit)
        spooler = (try? SpoolLocation.current(named: Self.spool(in: words))).map { place in
            Spooler(client: UnixSocketClient(path: place.socket), user: UserAccounts.name(of: getuid())) {
                () throws(SpoolerClientError) in
                throw SpoolerClientError(.unavailable, "printd is not running")
            }
        }
    }

    /// Returns the folder in the value of `--spool`; nil if the option or its value is missing.
    static func spool(in words: [String]) -> String? {
        let words = words.prefix { $0 != "--" }
        let option = "--spool"
        if let value = words.last(where: { $0.hasPrefix("\(option)=") }) {
            return String(value.dropFirst(option.count + 1))
        }
        guard let index = words.lastIndex(of: option), words.indices.contains(index + 1) else { return nil }
        return words[index + 1]
    }

    /// Returns the names of the printers.
    ///
    /// The array is empty if printd does not respond.
    func printers() async -> [String] {
        let answer = try? await spooler?.ask(.cupsGetPrinters, requested: ["printer-name"])
        return answer?.groups(.printer).compactMap { $0.string("printer-name") } ?? []
    }

    /// Returns the names of the hosts.
    ///
    /// The array is empty if printd does not respond, or if the queue is not shared.
    func hosts() async -> [String] { (try? await spooler?.hosts())?.hosts.map(\.name) ?? [] }

    /// Returns the numbers of jobs.
    ///
    /// The array is empty if printd does not respond.
    func jobs(_ which: JobSelection) async -> [String] {
        let listing = JobListQuery(which, limit: Self.jobLimit)
        return ((try? await spooler?.jobs(listing, ["job-id"])) ?? []).map { "\(JobView($0).id)" }
    }
}
