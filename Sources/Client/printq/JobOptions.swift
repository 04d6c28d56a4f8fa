// The print options of a job as flags. The table of options contains the help texts.

import ArgumentParser
import PrintqOutput
import PrintModel
import SpoolerClient

/// Flags for the most common print options, and `-o` for all other options.
struct JobOptions: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: .option("copies"))
    var copies: String?

    @Option(help: .option("page-ranges"))
    var pages: String?

    @Option(help: .option("sides", values: "none, long or short"))
    var duplex: String?

    @Option(help: .option("media"))
    var paper: String?

    @Option(help: .option("orientation-requested"))
    var orientation: String?

    @Option(help: .option("number-up"))
    var numberUp: String?

    @Flag(help: "Continue with the next file on the same side, as if the files were a single document.")
    var merge = false

    @Flag(help: "Print a booklet: two pages on each side, in the order for sheets that are folded in the middle.")
    var booklet = false

    @Option(help: .option("printq-poster"))
    var poster: String?

    @Flag(help: "Print page numbers; set the position with -o page-numbers=top-right.")
    var pageNumbers = false

    @Option(help: .option("printq-watermark"))
    var watermark: String?

    @Option(help: .option("printq-page-header"))
    var pageHeader: String?

    @Option(help: .option("print-scaling"))
    var scaling: String?

    @Option(help: .option("print-color-mode"))
    var color: String?

    @Option(help: .option("print-quality"))
    var quality: String?

    @Option(help: .option("output-type"))
    var outputType: String?

    @Option(help: .option("job-priority"))
    var priority: String?

    @Option(help: .option("cpi"))
    var cpi: String?

    @Option(help: .option("columns"))
    var columns: String?

    @Option(help: .option("document-charset"))
    var charset: String?

    @Flag(inversion: .prefixedNo, help: "Wrap long lines of plain text, or cut them off.")
    var wrap: Bool?

    @Flag(help: "Number the lines of text.")
    var lineNumbers = false

    @Flag(help: "Print the title, the date and page numbers above text.")
    var prettyprint = false

    @Flag(help: "Print the last page first.")
    var reverse = false

    @Flag(inversion: .prefixedNo, help: "Print copies in sets, or page by page.")
    var collate: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Hold the job: indefinitely, or until a time such as 18:30 or 2030-01-31T18:30.",
            valueName: "until"))
    var hold: String?

    @Flag(
        name: .customLong("no-keep"),
        help: "Delete the documents when the job ends; the job cannot be reprinted.")
    var dropsDocuments = false

    @Flag(help: "Abort the job if a page cannot be printed, instead of printing an error notice in its place.")
    var fidelity = false

    @Option(
        name: [.customShort("o")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Any option, by its IPP name or by the name that lp uses.", valueName: "name=value"))
    var option: [String] = []

    /// Returns the options as a job ticket.
    ///
    /// A flag overrides the same option in `-o`.
    func ticket(now: UnixTime) throws(SpoolerClientError) -> JobTicket {
        var options = option.flatMap(OptionText.read)
        let flags: [(name: String, value: String?)] = [
            ("copies", copies), ("page-ranges", pages), ("sides", duplex), ("media", paper),
            ("orientation-requested", orientation), ("number-up", numberUp), ("print-scaling", scaling),
            ("print-color-mode", color), ("print-quality", quality), ("output-type", outputType),
            ("job-priority", priority), ("cpi", cpi), ("columns", columns), ("document-charset", charset),
            ("wrap", wrap.map { "\($0)" }), ("line-numbers", lineNumbers ? "true" : nil),
            ("prettyprint", prettyprint ? "true" : nil), ("page-delivery", reverse ? "reverse" : nil),
            ("multiple-document-handling", merge ? DocumentJoining.sameSide.rawValue : nil),
            ("imposition-template", booklet ? "signature" : nil), ("printq-poster", poster),
            ("printq-page-numbers", pageNumbers ? "bottom-center" : nil), ("printq-watermark", watermark),
            ("printq-page-header", pageHeader),
            ("collate", collate.map { "\($0)" }), ("job-retain-until", dropsDocuments ? "none" : nil),
        ]
        for flag in flags { options += flag.value.map { [OptionText(name: flag.name, value: $0)] } ?? [] }
        var ticket = try JobTicket(options, now: now)
        if let conflict = ticket.layoutConflict { throw SpoolerClientError(.usage, conflict.description.printable) }
        if fidelity { ticket.requiresFidelity = true }
        if let hold { ticket.holdUntil = try HoldUntil(localText: hold, now: now) }
        return ticket
    }
}

extension ArgumentHelp {
    /// Returns the help text of an option from the table of options.
    static func option(_ name: String, values: String? = nil) -> ArgumentHelp {
        guard let option = PrintOption.named(name) else { return "" }
        return ArgumentHelp("\(option.help.dropLast()): \(values ?? option.values).", valueName: "value")
    }
}
