// The command `printq move`, which moves jobs to another printer.

import ArgumentParser
import IPP
import PrintqOutput
import SpoolerClient

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
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

    @Argument(
        help: ArgumentHelp("The job numbers, then the new printer.", valueName: "id ... printer"),
        completion: .unfinishedJobsAndPrinters)
    var words: [String]
    @Flag(help: "Moves all waiting jobs of the printer that --printer selects.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
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
            if output.json { return try await session.printJSON(ofPrinter: destination) }
            return StandardOutput.print("moved the waiting jobs of \(source) to \(destination)\n")
        }
        let ids = try words.dropLast().map { word throws(SpoolerClientError) in try JobID.named(word) }
        let words = { (job: JobView) in "\(job.outcome) on \(job.printer)\(job.isSuspended ? ": \(job.message)" : "")" }
        try await ids.changeEach(in: queue, output, words: words) { id throws(SpoolerClientError) in
            try await queue.move(id, to: destination)
        }
    }
}

extension JobID {
    /// Returns the job number in a command-line argument.
    static func named(_ word: String) throws(SpoolerClientError) -> JobID {
        guard let id = JobID(argument: word) else {
            throw SpoolerClientError(.usage, "'\(word.printable)' is not a job number; see 'printq queue'")
        }
        return id
    }
}
