// The print options of a job as flags. The table of options contains the help texts.

import ArgumentParser
import PrintqOutput
import PrintModel
import SpoolerClient

/// The options for print jobs: flags for the most common options, and `-o` for all other options.
struct JobOptions: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: .option("copies"))
    var copies: String?

    @Option(help: .option("page-ranges"))
    var pages: String?

    @Option(help: .option("sides", values: duplexWords.alternatives))
    var duplex: String?

    @Option(help: .option("media"))
    var paper: String?

    @Option(help: .option("orientation-requested"))
    var orientation: String?

    @Option(help: .option("number-up"))
    var numberUp: String?

    @Flag(help: "Prints the files as a single document: a file can begin on the side where the previous file ends.")
    var merge = false

    @Flag(help: "Prints a booklet: two pages on each side, in the order for sheets that are folded in the middle.")
    var booklet = false

    @Option(help: .option("printq-poster"))
    var poster: String?

    @Flag(help: "Prints page numbers; '-o page-numbers=top-right' sets the position.")
    var pageNumbers = false

    @Option(help: .option("printq-watermark"))
    var watermark: String?

    @Option(help: .option("printq-page-header"))
    var pageHeader: String?

    @Option(
        help: ArgumentHelp(
            "Sheets with title, user and date before and after the documents: standard, confidential, "
                + "'standard,standard' or another value of job-sheets.", valueName: "value"))
    var coverSheets: String?

    @Option(help: .option("print-scaling", values: "auto, auto-fit, fit, fill, none or a size such as 80%"))
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

    @Option(help: .option("printq-office"))
    var office: String?

    @Option(help: .option("printq-sheets"))
    var sheets: String?

    @Flag(inversion: .prefixedNo, help: "Wraps long lines of plain text, or cuts them off.")
    var wrap: Bool?

    @Flag(help: "Prints a number before each line of text.")
    var lineNumbers = false

    @Flag(help: "Prints the title, the date and page numbers above the text.")
    var prettyprint = false

    @Flag(help: "Prints the last page first.")
    var reverse = false

    @Flag(inversion: .prefixedNo, help: "Collates copies, or prints all copies of each page together.")
    var collate: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The time until which the job is held, such as 18:30 or 2030-01-31T18:30, or 'indefinite'.",
            valueName: "until"))
    var hold: String?

    @Flag(
        name: .customLong("no-keep"),
        help: "Deletes the documents when the job ends, so the job cannot be reprinted.")
    var dropsDocuments = false

    @Flag(help: "Aborts the job if a page cannot be drawn, instead of printing an error notice for the page.")
    var fidelity = false

    @Option(
        name: [.customShort("o")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Any print option, with its IPP name or its lp name.", valueName: "name=value"))
    var option: [String] = []

    private static let duplexWords = ["none", "long", "short"]

    /// The options of `lp` for a PIN.
    private static let pinNames = ["job-password", "job-password-encryption"]

    /// Returns the PIN of `-o job-password=PIN`; nil without this option.
    func pin() throws(SpoolerClientError) -> String? {
        let options = option.flatMap(OptionText.read)
        if let other = options.last(where: { $0.name == Self.pinNames[1] && $0.value != "none" }) {
            throw SpoolerClientError(
                .usage, "invalid value '\(other.value.printable)' for \(other.typed); expected none")
        }
        guard let pin = options.last(where: { $0.name == Self.pinNames[0] })?.value else { return nil }
        return try PinChoice.checked(pin)
    }

    /// Returns the options as a job ticket.
    ///
    /// A flag overrides the same option in `-o`.
    ///
    /// - Parameter acceptsPin: Whether the command also calls `pin`. Otherwise `-o job-password` is an unknown option.
    func ticket(now: UnixTime, acceptsPin: Bool = false) throws(SpoolerClientError) -> JobTicket {
        var options = option.flatMap(OptionText.read)
        if acceptsPin { options.removeAll { Self.pinNames.contains($0.name) } }
        let flags: [(typed: String, name: String, value: String?)] = [
            ("--copies", "copies", copies), ("--pages", "page-ranges", pages), ("--duplex", "sides", duplex),
            ("--paper", "media", paper), ("--orientation", "orientation-requested", orientation),
            ("--number-up", "number-up", numberUp), ("--scaling", "scaling", scaling),
            ("--color", "print-color-mode", color), ("--quality", "print-quality", quality),
            ("--output-type", "output-type", outputType), ("--priority", "job-priority", priority),
            ("--cpi", "cpi", cpi), ("--columns", "columns", columns), ("--charset", "document-charset", charset),
            ("--office", "printq-office", office), ("--sheets", "printq-sheets", sheets),
            ("--wrap", "wrap", wrap.map { "\($0)" }), ("--line-numbers", "line-numbers", lineNumbers ? "true" : nil),
            ("--prettyprint", "prettyprint", prettyprint ? "true" : nil),
            ("--reverse", "page-delivery", reverse ? "reverse" : nil),
            ("--merge", "multiple-document-handling", merge ? DocumentJoining.sameSide.rawValue : nil),
            ("--booklet", "imposition-template", booklet ? "signature" : nil), ("--poster", "printq-poster", poster),
            ("--page-numbers", "printq-page-numbers", pageNumbers ? "bottom-center" : nil),
            ("--watermark", "printq-watermark", watermark), ("--page-header", "printq-page-header", pageHeader),
            ("--cover-sheets", "job-sheets", coverSheets),
            ("--collate", "collate", collate.map { "\($0)" }),
            ("--no-keep", "job-retain-until", dropsDocuments ? "none" : nil),
        ]
        for flag in flags {
            guard let value = flag.value else { continue }
            let words = flag.typed == "--duplex" ? Self.duplexWords : []
            options.append(OptionText(name: flag.name, value: value, typed: flag.typed, words: words))
        }
        var ticket = try JobTicket(options, now: now)
        if let conflict = ticket.layoutConflict { throw SpoolerClientError(.usage, conflict.description.printable) }
        if fidelity { ticket.requiresFidelity = true }
        if let hold { ticket.holdUntil = try HoldUntil(localText: hold, now: now, option: "--hold") }
        return ticket
    }
}

extension ArgumentHelp {
    /// Returns the help text of an option in `PrintOption.all`.
    static func option(_ name: String, values: String? = nil) -> ArgumentHelp {
        guard let option = PrintOption.named(name) else { return "" }
        return ArgumentHelp("\(option.help.dropLast()): \(values ?? option.values).", valueName: "value")
    }
}
