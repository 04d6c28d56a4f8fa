// The command `printq move`, which moves jobs to another printer.

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
            A job keeps its number and its place in the order of arrival. It is prepared again for the other printer. \
            A suspended job stays suspended; 'printq resume' or 'printq reprint' continues it. A printing job cannot \
            be moved: cancel it, then reprint it with --printer.
            """)

    @Argument(help: ArgumentHelp("The job numbers, then the new printer.", valueName: "id ... printer"))
    var words: [String]
    @Flag(help: "Move all waiting jobs of the printer given by --printer.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, choice.printer == nil { throw ValidationError("--all requires --printer") }
        if all, words.count > 1 { throw ValidationError("--all cannot be combined with job numbers") }
        if !all, choice.printer != nil { throw ValidationError("--printer requires --all") }
        if !all, words.count < 2 { throw ValidationError("specify the job numbers and the new printer") }
    }

    func run() async throws {
        let destination = try PrinterName.checked(words[words.count - 1])
        let queue = try session.spooler
        if all, let source = try choice.name {
            try await queue.move(to: destination, fromPrinter: source)
            return StandardOutput.print("moved the waiting jobs of \(source) to \(destination)\n")
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
    /// Returns the job number that an argument contains.
    static func named(_ word: String) throws(SpoolerClientError) -> JobID {
        guard let id = JobID(argument: word) else {
            throw SpoolerClientError(.usage, "'\(word.printable)' is not a job number; see 'printq queue'")
        }
        return id
    }
}
