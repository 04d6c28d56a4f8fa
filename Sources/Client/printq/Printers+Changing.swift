// printq printers add, change, remove, discover, options.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

/// What a person says of a printer.
struct PrinterDescription: ParsableArguments {
    @Option(help: ArgumentHelp("What people call it.", valueName: "text"))
    var info: String?
    @Option(help: ArgumentHelp("Where it stands.", valueName: "text"))
    var location: String?
    @Option(
        help: ArgumentHelp(
            "What becomes of jobs that cannot be delivered: retry-job, abort-job or stop-printer.", valueName: "policy"),
        transform: ConfiguredPrinter.ErrorPolicy.named)
    var policy: ConfiguredPrinter.ErrorPolicy?
    @Option(
        help: ArgumentHelp(
            "What becomes of jobs that the printer gives up in the middle because of a power loss, a reset or a fault: ask, "
                + "continue or abort.",
            valueName: "setting"),
        transform: ConfiguredPrinter.AfterInterruption.named)
    var afterInterruption: ConfiguredPrinter.AfterInterruption?
    @Option(
        name: [.customShort("o")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("What its jobs ask for that do not say; NAME= takes it away.", valueName: "name=value"))
    var option: [String] = []
    @Flag(name: .customLong("default"), help: "Make it the one for jobs that name no printer.")
    var isDefault = false

    /// The same as CUPS-Add-Modify-Printer has it.
    var attributes: [Attribute] {
        get throws(SpoolerClientError) {
            var attributes: [Attribute] = []
            if let info { attributes.append(Attribute("printer-info", .text(info))) }
            if let location { attributes.append(Attribute("printer-location", .text(location))) }
            if let policy { attributes.append(policy.attributes[0]) }
            if let afterInterruption { attributes.append(afterInterruption.attribute) }
            return attributes + (try option.flatMap(OptionText.read).printerDefaults(now: Session.now))
        }
    }
}

extension Printers {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a printer.",
            discussion: """
                URI says where it is: ipp://HOST/PATH or ipps://HOST/PATH, cups:QUEUE or cups://HOST/QUEUE, folder:/PATH \
                (PDFs into a folder), printsim:NAME (a simulated one). 'printq printers discover' finds some. The printer is \
                asked first what it is, and not added when it does not answer: exit code 64 for a URI that is none, 75 for a \
                printer that does not answer, 76 for something else than an IPP printer, 69 for one that refuses, 77 for one that wants a login \
                or is not trusted.
                """)
        @Argument(help: "What it is to be called: letters, digits, '-', '_', '.'.")
        var name: String
        @Argument(help: "Where it is.")
        var uri: String
        @OptionGroup var description: PrinterDescription
        @Flag(name: .customLong("no-check"), help: "Add it without asking it; it may be off.")
        var isUnchecked = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.new(name)
            let device = try DeviceArgument.checked(uri)
            let queue = try session.spooler
            let answer = try await queue.change(
                printer: name,
                [Attribute("device-uri", .uri(device))] + (try description.attributes)
                    + [
                        Attribute("printer-is-accepting-jobs", .boolean(true)),
                        Attribute("printer-state", .enumeration(Int32(PrinterState.idle.rawValue))),
                    ],
                operation: [
                    Attribute("printq-must-be-new", .boolean(true)), Attribute("printq-check", .boolean(!isUnchecked)),
                ], requested: ["all", "media-col-database"])
            if description.isDefault { try await queue.ask(.cupsSetDefault, printer: name) }
            let seen = answer[.printer]
            if output.json {
                let plain = [Attribute("printer-name", .name(name))]
                let told = seen?.attributes.filter { $0.name != "media-col-database" }
                return StandardOutput.print(JSONText(told ?? plain))
            }
            StandardOutput.print("\(name) is added\(description.isDefault ? " as the default printer" : "")\n")
            StandardOutput.print(
                seen.map(PaperList.findings) ?? "  not asked yet: see 'printq doctor' whether it answers\n")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what a printer is called, where it is, what its jobs get that do not say.")
        @Argument(help: "The printer.")
        var name: String
        @Option(help: ArgumentHelp("Where it is from now on; its waiting jobs go there.", valueName: "uri"))
        var uri: String?
        @OptionGroup var description: PrinterDescription
        @Flag(name: .customLong("no-check"), help: "With --uri: do not ask the printer there first.")
        var isUnchecked = false
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            let device = try uri.map { try DeviceArgument.checked($0) }
            let attributes =
                (device.map { [Attribute("device-uri", .uri($0))] } ?? []) + (try description.attributes)
            guard !attributes.isEmpty || description.isDefault else {
                throw SpoolerClientError(.usage, "say what is to be changed; see 'printq printers change --help'")
            }
            // It must be there: without the look a device-uri would make it.
            _ = try await queue.printer(name, ["printer-name"])
            if !attributes.isEmpty {
                let isChecked = device != nil && !isUnchecked
                try await queue.change(
                    printer: name, attributes, operation: [Attribute("printq-check", .boolean(isChecked))])
            }
            if description.isDefault { try await queue.ask(.cupsSetDefault, printer: name) }
            StandardOutput.print("\(name) is changed\n")
            guard device != nil else { return }
            for job in try await queue.jobs(JobListing(.notCompleted, printer: name)).map(JobView.init)
            where job.isAtPrinter {
                StandardOutput.print(
                    "  job \(job.id) is at the printer already: it is followed where it was, as long as that answers\n")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a printer; the history of its jobs stays.",
            discussion: """
                A printer with jobs that have not ended is removed only when it is said what becomes of them. 'lpadmin -x' \
                cancels them.
                """)
        @Argument(help: "The printer.")
        var name: String
        @Flag(name: [.customLong("cancel-jobs"), .customLong("force")], help: "Cancel its jobs first.")
        var cancelsJobs = false
        @Option(
            name: .customLong("move-jobs-to"),
            help: ArgumentHelp("Move its jobs there first; they are made ready anew.", valueName: "name"))
        var other: String?
        @OptionGroup var session: Session

        func validate() throws {
            if cancelsJobs, other != nil { throw ValidationError("its jobs are either canceled or moved") }
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
            try await queue.remove(printer: name, jobs: jobs)
            StandardOutput.print("\(name) is removed\(wasDefault ? try await Self.heir(in: queue) : "")\n")
        }

        /// What to say of the default printer when that is removed.
        private static func heir(in queue: Spooler) async throws -> String {
            if let heir = try await queue.defaultPrinter() {
                return "; \(heir.printable), the only one left, is the default printer now"
            }
            let isLast = try await queue.ask(.cupsGetPrinters, requested: ["printer-name"]).groups(.printer).isEmpty
            return isLast
                ? "; no printer is left"
                : "; no printer is the default one now: choose one with 'printq printers default NAME'"
        }
    }

    struct Discover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look for printers that could be added: on the network (DNS-SD), in CUPS.")
        @Option(help: ArgumentHelp("How long to look at most, 1 to 60.", valueName: "seconds"))
        var timeout = 5
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func validate() throws {
            guard (1...60).contains(timeout) else { throw ValidationError("--timeout takes 1 to 60 seconds") }
        }

        func run() async throws {
            let search = try await session.spooler.devices(seconds: timeout)
            if output.json { return StandardOutput.print(search.devices.json) }
            StandardOutput.print(search.devices.table, whenEmpty: "no printers were found")
            for note in search.notes { StandardOutput.show("printq: \(note.printable)\n") }
        }
    }

    struct Options: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what can be asked of a printer; -o saves what its jobs get that do not say.",
            discussion: "'-o sides=two-sided-long-edge' saves a default for the printer, '-o sides=' takes it away.")
        @Argument(help: "The printer (default: the default one).")
        var name: String?
        @Option(
            name: [.customShort("o")], parsing: .unconditionalSingleValue,
            help: ArgumentHelp("What its jobs ask for that do not say; NAME= takes it away.", valueName: "name=value"))
        var option: [String] = []
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let defaults = try option.flatMap(OptionText.read).printerDefaults(now: Session.now)
            var name = try name.map(PrinterName.checked)
            if !defaults.isEmpty {
                let printer = try await queue.printer(name, ["printer-name"]).string("printer-name") ?? ""
                name = try PrinterName.checked(printer)
                try await queue.change(printer: printer, defaults)
            }
            let group = try await queue.printer(name, PrinterOptionList.attributeNames)
            if output.json { return StandardOutput.print(JSONText(group.attributes)) }
            StandardOutput.print(PrinterOptionList(group).table, whenEmpty: "nothing can be asked of it")
        }
    }
}

/// URIs of devices, as people write them.
enum DeviceArgument {
    /// The URI, if it is one of a printer.
    static func checked(_ text: String) throws(SpoolerClientError) -> String {
        do throws(DeviceURI.Problem) {
            return try DeviceURI(text).description
        } catch {
            throw SpoolerClientError(.usage, error.description.printable)
        }
    }
}

extension PrinterName {
    /// The name, if a new printer can have it.
    static func new(_ name: String) throws(SpoolerClientError) -> String {
        guard ConfiguredPrinter.isValidName(name) else {
            throw SpoolerClientError(
                .usage,
                "'\(name.printable)' cannot be a printer's name: it takes 1 to 127 letters, digits, '-', '_' and '.', and "
                    + "begins with a letter or digit")
        }
        return name
    }
}
