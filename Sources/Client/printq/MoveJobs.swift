// printq move: jobs to another printer.

import ArgumentParser
import IPP
import PrintqOutput
import SpoolerClient

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move waiting jobs to another printer.",
        usage: """
            printq move <id> ... <printer>
            printq move --all --printer <from> <printer>
            """,
        discussion: """
            A job keeps its number and its place in the order of arrival, and is made ready anew for the other printer. A \
            suspended job stays suspended there: resume or reprint says how it goes on. A job that prints cannot be moved; \
            cancel it, then reprint it with --printer.
            """)

    @Argument(help: ArgumentHelp("The jobs' numbers, then the printer they go to.", valueName: "id ... printer"))
    var words: [String]
    @Flag(help: "All waiting jobs of a printer.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, choice.printer == nil { throw ValidationError("name the printer whose jobs are moved with --printer") }
        if all, words.count > 1 { throw ValidationError("--all and job numbers exclude each other") }
        if !all, choice.printer != nil { throw ValidationError("--printer goes with --all") }
        if !all, words.count < 2 { throw ValidationError("name the jobs to move, and the printer they go to") }
    }

    func run() async throws {
        let destination = try PrinterName.checked(words[words.count - 1])
        let queue = try session.spooler
        if all, let source = try choice.name {
            try await queue.move(to: destination, fromPrinter: source)
            return StandardOutput.print("the waiting jobs of \(source) are moved to \(destination)\n")
        }
        let ids = try words.dropLast().map { word throws(SpoolerClientError) in try JobID.named(word) }
        try await ids.changeEach { id throws(SpoolerClientError) in
            try await queue.move(id, to: destination)
            let job = JobView(try await queue.job(id, JobView.listedNames))
            return "job \(id) is \(job.stateWords(now: Session.now)) on \(job.printer)"
                + (job.isSuspended ? ": \(job.message)" : "") + "\n"
        }
    }
}

extension JobID {
    /// The number that a word of a list of jobs is.
    static func named(_ word: String) throws(SpoolerClientError) -> JobID {
        guard let id = JobID(argument: word) else {
            throw SpoolerClientError(.usage, "'\(word.printable)' is no job's number; see 'printq queue'")
        }
        return id
    }
}
