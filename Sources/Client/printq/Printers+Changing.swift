// The commands `printq printers add`, `change`, `remove`, `discover` and `options`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

/// The printer settings that a user can choose on the command line.
struct PrinterDescription: ParsableArguments {
    @Option(help: ArgumentHelp("A description of the printer.", valueName: "text"))
    var info: String?
    @Option(help: ArgumentHelp("The location of the printer.", valueName: "text"))
    var location: String?
    @Option(help: ArgumentHelp("The place of the printer, such as geo:48.2,16.37.", valueName: "URI"))
    var geoLocation: String?
    @Option(help: ArgumentHelp("The organization to which the printer belongs.", valueName: "text"))
    var organization: String?
    @Option(help: ArgumentHelp("The part of the organization to which the printer belongs.", valueName: "text"))
    var organizationalUnit: String?
    @Option(
        help: ArgumentHelp(
            "The error policy for jobs that cannot be delivered: retry-job, abort-job or stop-printer.",
            valueName: "policy"),
        transform: ConfiguredPrinter.ErrorPolicy.named)
    var policy: ConfiguredPrinter.ErrorPolicy?
    @Option(
        help: ArgumentHelp(
            "The handling of jobs that are interrupted at the printer by a power loss, a reset or a fault: ask, "
                + "continue or abort.",
            valueName: "setting"),
        transform: ConfiguredPrinter.AfterInterruption.named)
    var afterInterruption: ConfiguredPrinter.AfterInterruption?
    @Option(
        name: [.customShort("o")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A default value for jobs that do not set the option; NAME= removes the default.", valueName: "name=value"))
    var option: [String] = []
    @Flag(name: .customLong("default"), help: "Makes this printer the default printer.")
    var isDefault = false

    /// The settings as changes of a printer.
    var change: PrinterChange {
        var change = PrinterChange(
            info: info, location: location, errorPolicy: policy, afterInterruption: afterInterruption,
            options: option.flatMap(OptionText.read).values)
        (change.geoLocation, change.organization) = (geoLocation, organization)
        change.organizationalUnit = organizationalUnit
        return change
    }
}

extension Printers {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a printer.",
            discussion: """
                The URI is the printer's address: ipp://HOST/PATH, ipps://HOST/PATH, cups:QUEUE, cups://HOST/QUEUE, \
                folder:/PATH (writes PDF files to a folder) or printsim:NAME (a simulated printer). 'printq printers \
                discover' lists printers. The command queries the printer first, and does not add it if the query \
                fails. Exit codes: 64 invalid URI; 69 the printer refused the request; 75 no response; 76 not an IPP \
                printer; 77 the printer requires a login or is not trusted.
                """)
        @Argument(help: "The name of the printer: letters, digits, '-', '_', '.'.")
        var name: String
        @Argument(help: "The URI of the printer.")
        var uri: String
        @OptionGroup var description: PrinterDescription
        @Flag(
            name: .customLong("no-check"),
            help: "Adds the printer without a connection test, for example while the printer is switched off.")
        var isUnchecked = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let answer = try await queue.add(
                printer: name, uri: uri, description.change, isChecked: !isUnchecked)
            if description.isDefault { try await queue.setDefaultPrinter(name) }
            let seen = answer[.printer]
            if output.json {
                let plain = [Attribute("printer-name", .name(name))]
                let reported = seen?.attributes.filter { $0.name != "media-col-database" }
                return StandardOutput.print(JSONText(reported ?? plain))
            }
            StandardOutput.print("added \(name)\(description.isDefault ? " as the default printer" : "")\n")
            StandardOutput.print(
                seen.map(PaperList.findings)
                    ?? "  not checked; run 'printq doctor' to check that the printer responds\n")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Change the description, URI or default options of a printer.")
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Option(help: ArgumentHelp("The new URI; printd sends waiting jobs to this URI.", valueName: "uri"))
        var uri: String?
        @OptionGroup var description: PrinterDescription
        @Flag(name: .customLong("no-check"), help: "Changes the URI without a connection test (with --uri).")
        var isUnchecked = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            var change = description.change
            change.deviceURI = uri
            guard change != PrinterChange() || description.isDefault else {
                throw SpoolerClientError(.usage, "nothing to change; see 'printq printers change --help'")
            }
            if change != PrinterChange() {
                try await queue.changePrinter(name, change, isChecked: !isUnchecked)
            }
            if description.isDefault { try await queue.setDefaultPrinter(name) }
            if output.json { return try await session.printJSON(ofPrinter: name) }
            StandardOutput.print("changed \(name)\n")
            guard uri != nil else { return }
            for job in try await queue.jobs(printer: name) where job.isAtPrinter {
                StandardOutput.print(
                    "  job \(job.id) is already at the printer; printd keeps polling the job at the old URI\n")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a printer and keep the history of its jobs.",
            discussion: """
                If the printer has jobs that have not ended, --cancel-jobs or --move-jobs-to is required. 'lpadmin -x' \
                cancels the jobs.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Flag(name: [.customLong("cancel-jobs"), .customLong("force")], help: "Cancels the jobs before the removal.")
        var cancelsJobs = false
        @Option(
            name: .customLong("move-jobs-to"),
            help: ArgumentHelp(
                "The printer to which the jobs are moved before the removal; printd prepares the jobs again.",
                valueName: "name"),
            completion: .printers)
        var other: String?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func validate() throws {
            if cancelsJobs, other != nil {
                throw ValidationError("--cancel-jobs cannot be combined with --move-jobs-to")
            }
        }

        func run() async throws {
            let name = try PrinterName.checked(name)
            let jobs: RemovedPrinterJobs
            if let other {
                jobs = .move(to: try PrinterName.checked(other))
            } else {
                jobs = cancelsJobs ? .cancel : .keepPrinter
            }
            let queue = try session.spooler
            let wasDefault = try await queue.defaultPrinter() == name
            try await queue.removePrinter(name, jobs: jobs)
            if output.json {
                let heir = try await queue.defaultPrinter()
                return StandardOutput.print(
                    .object([
                        ("printer-name", .string(name)),
                        ("printq-default-printer", heir.map { .string($0) } ?? .null),
                    ]))
            }
            StandardOutput.print("removed \(name)\(wasDefault ? try await Self.heir(in: queue) : "")\n")
        }

        /// Returns the end of the message about the removal of the default printer.
        ///
        /// The text names the new default printer, or reports that there is no default printer.
        private static func heir(in queue: Spooler) async throws -> String {
            if let heir = try await queue.defaultPrinter() {
                return "; the default printer is now \(heir.printable), the only remaining printer"
            }
            return try await queue.printers().isEmpty
                ? "; no printers remain"
                : "; there is no default printer now: choose one with 'printq printers default NAME'"
        }
    }

    struct Discover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discover",
            abstract: "Find printers on the network (DNS-SD) and in CUPS.")
        @Option(help: ArgumentHelp("The time limit for the search, 1 to 60 seconds.", valueName: "seconds"))
        var timeout = 5
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func validate() throws {
            guard (1...60).contains(timeout) else {
                throw ValidationError("invalid value '\(timeout)' for --timeout; expected 1 to 60 seconds")
            }
        }

        func run() async throws {
            let search = try await session.spooler.devices(seconds: timeout)
            if output.json { return StandardOutput.print(search.devices.json) }
            StandardOutput.print(search.devices.table, whenEmpty: "no printers found")
            for note in search.notes { StandardOutput.show("printq: \(note.printable)\n") }
        }
    }

    struct Options: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "options",
            abstract: "Show the options of a printer, or set their defaults with -o.",
            discussion:
                "'-o sides=two-sided-long-edge' sets a default for the printer, '-o sides=' removes the default.")
        @Argument(help: "The printer (default: the default printer).", completion: .printers)
        var name: String?
        @Option(
            name: [.customShort("o")], parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "A default value for jobs that do not set the option; NAME= removes the default.",
                valueName: "name=value"))
        var option: [String] = []
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let defaults = option.flatMap(OptionText.read).values
            var name = try name.map(PrinterName.checked)
            if !defaults.isEmpty {
                let printer = try await queue.printer(name, ["printer-name"]).string("printer-name") ?? ""
                name = try PrinterName.checked(printer)
                try await queue.changePrinter(printer, PrinterChange(options: defaults))
            }
            let group = try await queue.printer(name, PrinterOptionList.attributeNames)
            if output.json { return StandardOutput.print(JSONText(group.attributes)) }
            StandardOutput.print(PrinterOptionList(group).table, whenEmpty: "the printer has no options")
        }
    }
}

extension [OptionText] {
    /// The values of the options; the last value of each option counts.
    fileprivate var values: [String: String] { [String: String](map { ($0.name, $0.value) }) { _, last in last } }
}
