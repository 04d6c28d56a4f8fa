// The commands about jobs.

import Glibc
import SpoolerClient

typealias Command = @Sendable (Spooler, Words) async throws -> Void

/// The commands of printq with their calls, by name.
let commands = jobCommands.merging(printerCommands) { first, _ in first }

private let jobCommands: [String: Command] = [
    "submit": { spooler, words in
        var submission = try JobSubmission(files: [words.text(1)], printer: words.text(0))
        try submission.ticket.set("copies", to: words[2] ?? "1", at: now)
        print(try await spooler.submit(submission))
    },
    "queue": { spooler, words in
        for job in try await spooler.jobs(printer: words[0]) { print(job.id, "\(job.state, default: "")", job.printer) }
    },
    "log": { spooler, words in
        for job in try await spooler.jobs(.completed, isMine: words[0] == "mine") {
            print(job.id, "\(job.state, default: "")", job.owner)
        }
    },
    "show": { spooler, words in
        let job = try await spooler.job(words.number(0))
        print("\(job.id) \(job.state, default: "") \(job.printer) \(job.name)")
        print("copies \(job.ticket.copies ?? 1), documents \(job.documents.map { $0.name ?? "" })")
        for event in job.timeline { print(event.number, event.kind, event.text) }
    },
    "why": { spooler, words in
        let reason = try await spooler.why(words.number(0))
        print(reason)
        print("commands: \(reason.commands)")
    },
    "watch": { spooler, words in
        // The job may end before the subscription, so the sequence begins with the stored events.
        for try await event in try await spooler.events(ofJobs: [words.number(0)], after: 0) {
            print(event.kind, "\(event.state, default: "")")
            if event.state?.isTerminal == true { return }
        }
    },
    "cancel": { spooler, words in
        guard words[0] == "all" else { return try await spooler.cancel(words.number(0)) }
        print(try await spooler.cancelOwnJobs())
    },
    "hold": { spooler, words in
        let seconds = words[1].flatMap { UnixTime($0) }
        try await spooler.hold(words.number(0), until: seconds.map { .time(now + $0) } ?? .indefinite)
    },
    "release": { spooler, words in
        guard let pin = words[1] else { return try await spooler.release(words.number(0)) }
        guard Int(try words.text(0)) == nil else { return try await spooler.release(words.number(0), pin: pin) }
        print(try await spooler.release(jobsAt: words.text(0), pin: pin))
    },
    "change": { spooler, words in
        var ticket = JobTicket()
        try ticket.set(words.text(1), to: words.text(2), at: now)
        try await spooler.change(words.number(0), to: ticket, title: words[3])
    },
    "move": { spooler, words in
        guard let job = Int(try words.text(0)) else {
            return try await spooler.move(to: words.text(1), fromPrinter: words.text(0))
        }
        try await spooler.move(job, to: words.text(1))
    },
    "resume": { spooler, words in try await spooler.resume(words.number(0), from: words[1].flatMap { Int($0) }) },
    "reprint": { spooler, words in
        var reprint = JobReprint(job: try words.number(0))
        reprint.ticket.pageRanges = try words[1].map { try PageRanges($0) }
        print(try await spooler.reprint(reprint))
    },
    "preview": { spooler, words in
        let pages = try await spooler.pages(ofJob: words.number(0))
        for page in pages.pages {
            let path = "\(try words.text(1))/\(page.number).png"
            if try await spooler.draw(page, pages.side, ofJob: words.number(0), to: path) { print(path) }
        }
    },
]

/// The time in seconds since 1970.
var now: UnixTime { UnixTime(time(nil)) }

/// The arguments of a command.
struct Words: Sendable {
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    /// An argument; nil if it is missing.
    subscript(index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

    /// The arguments from an index.
    func rest(from index: Int) -> [String] { Array(words.dropFirst(index)) }

    func text(_ index: Int) throws -> String {
        guard let word = self[index] else { throw MissingArgument(index: index) }
        return word
    }

    func number(_ index: Int) throws -> Int {
        guard let number = Int(try text(index)) else { throw MissingArgument(index: index) }
        return number
    }
}

struct MissingArgument: Error {
    var index: Int
}
