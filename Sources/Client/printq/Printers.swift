// The command `printq printers` and its smaller subcommands, and `printq papers`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

struct Printers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printers",
        abstract: "List, add, change, remove and test printers.",
        subcommands: [
            List.self, Show.self, Add.self, Change.self, Remove.self, Discover.self, Default.self, Options.self,
            TestPage.self,
            Pause.self, Resume.self, Policy.self, AfterInterruption.self, Allow.self, Deny.self, Share.self,
            Unshare.self, Login.self, Logout.self, Trust.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the printers; * marks the default printer.")
        @OptionGroup var colors: ColorChoice
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let answer = try await session.spooler.ask(.cupsGetPrinters, requested: PrinterView.attributeNames)
            let groups = answer.groups(.printer)
            if output.json { return StandardOutput.print(.array(groups.map { JSONText($0.attributes) })) }
            StandardOutput.print(
                groups.map(PrinterView.init).table, whenEmpty: "there are no printers", isStyled: colors.color.isStyled)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a printer's state, alerts, papers, supplies and default options.",
            discussion: """
                'printq papers' lists the papers that the printer supports, and 'printq printers options' lists all \
                options with their choices.
                """)
        @Argument(help: "The printer (default: the default printer).")
        var name: String?
        @OptionGroup var colors: ColorChoice
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let group = try await session.spooler.printer(
                try name.map(PrinterName.checked), PrinterDetails.attributeNames)
            if output.json { return StandardOutput.print(JSONText(group.attributes)) }
            StandardOutput.print(
                PrinterDetails(group).text(width: StandardOutput.width, isStyled: colors.color.isStyled))
        }
    }

    struct Default: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "default", abstract: "Show or set the default printer.")
        @Argument(help: "The new default printer.", completion: .printers)
        var name: String?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            if let name { try await queue.setDefaultPrinter(PrinterName.checked(name)) }
            let answer = try await queue.ask(.cupsGetDefault, requested: ["printer-name"])
            let printer = answer[.printer]?.string("printer-name") ?? ""
            if output.json { return StandardOutput.print(.object([("printer-name", .string(printer))])) }
            StandardOutput.print(printer.printable + "\n")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause a printer.")
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Option(help: ArgumentHelp("The reason that 'printq why' shows.", valueName: "text"))
        var message: String?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(name, output) { queue, name throws(SpoolerClientError) in
                try await queue.pausePrinter(name, message: message)
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "resume", abstract: "Resume a paused printer.")
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(name, output) { queue, name throws(SpoolerClientError) in
                try await queue.resumePrinter(name)
            }
        }
    }

    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "policy",
            abstract: "Show or set a printer's error policy for jobs that cannot be delivered.",
            discussion: """
                retry-job: retry the job with backoff, at least once a minute. abort-job: abort the job at the first \
                failure. stop-printer: pause the printer; the job keeps its place in the queue.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Argument(help: "The new policy.", transform: ConfiguredPrinter.ErrorPolicy.named)
        var policy: ConfiguredPrinter.ErrorPolicy?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            if let policy { try await queue.changePrinter(name, PrinterChange(errorPolicy: policy)) }
            let policy = try await queue.printer(name, ["printer-error-policy"]).string("printer-error-policy") ?? ""
            if output.json { return StandardOutput.print(.object([("printer-error-policy", .string(policy))])) }
            StandardOutput.print(policy.printable + "\n")
        }
    }

    struct AfterInterruption: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "after-interruption",
            abstract: "Show or set the handling of jobs that are interrupted at the printer.",
            discussion: """
                A job is interrupted when the printer loses power, is reset or has a fault. ask: suspend the job until \
                'printq resume', 'printq reprint' or 'printq cancel'. continue: continue with the first sheet that was \
                not reported as printed. abort: abort the job. A job is always aborted if the printer cannot read its \
                document.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Argument(help: "The new setting.", transform: ConfiguredPrinter.AfterInterruption.named)
        var setting: ConfiguredPrinter.AfterInterruption?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            let attribute = "printq-after-interruption"
            if let setting { try await queue.changePrinter(name, PrinterChange(afterInterruption: setting)) }
            let setting = try await queue.printer(name, [attribute]).keywords(attribute).first ?? ""
            if output.json { return StandardOutput.print(.object([(attribute, .string(setting))])) }
            StandardOutput.print(setting.printable + "\n")
        }
    }
}

extension ConfiguredPrinter.AfterInterruption {
    /// Returns the setting that a command-line argument specifies.
    static func named(_ name: String) throws -> ConfiguredPrinter.AfterInterruption {
        guard let setting = ConfiguredPrinter.AfterInterruption(rawValue: name) else {
            let names = ConfiguredPrinter.AfterInterruption.allCases.map(\.rawValue)
            throw ValidationError(
                "expected \(names.alternatives)\(NearestName.suggestion(for: name, in: names))")
        }
        return setting
    }
}

extension ConfiguredPrinter.ErrorPolicy {
    /// Returns the policy that a command-line argument specifies.
    static func named(_ name: String) throws -> ConfiguredPrinter.ErrorPolicy {
        guard let policy = ConfiguredPrinter.ErrorPolicy(rawValue: name) else {
            let names = ConfiguredPrinter.ErrorPolicy.allCases.map(\.rawValue)
            throw ValidationError(
                "expected \(names.alternatives)\(NearestName.suggestion(for: name, in: names))")
        }
        return policy
    }
}

extension Session {
    /// Writes the attributes of a printer as JSON.
    func printJSON(ofPrinter name: String) async throws(SpoolerClientError) {
        let printer = try await spooler.printer(name, PrinterView.attributeNames)
        StandardOutput.print(JSONText(printer.attributes))
    }

    /// Changes a printer, and shows the printer's new state.
    fileprivate func change(
        _ name: String, _ output: OutputChoice, _ change: (Spooler, String) async throws(SpoolerClientError) -> Void
    ) async throws {
        let queue = try spooler
        let name = try PrinterName.checked(name)
        try await change(queue, name)
        if output.json { return try await printJSON(ofPrinter: name) }
        let printer = PrinterView(try await queue.printer(name, PrinterView.attributeNames))
        StandardOutput.print("\(name) is \(printer.phase.rawValue)\n")
    }
}

struct Papers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "papers",
        abstract: "List the papers that a printer supports; * marks the default paper.",
        discussion: """
            --paper and -o media accept every name in the columns PAPER and IPP NAME, in upper or lower case, and sizes \
            such as 100x150mm or 4x6in. --all lists the names of all papers, whether a printer supports them or not.
            """)

    @Flag(help: "Lists the names of all standard papers.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, choice.printer != nil { throw ValidationError("--all cannot be combined with --printer") }
    }

    func run() async throws {
        if all {
            if output.json { return StandardOutput.print(PaperList.allNamesJSON) }
            return StandardOutput.print(PaperList.allNames, whenEmpty: "")
        }
        let group = try await session.spooler.printer(choice.name, PaperList.attributeNames)
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let papers = PaperList(group)
        StandardOutput.print(papers.table, whenEmpty: "the printer reports no papers")
        if let sizes = papers.customSizes { StandardOutput.print("\(sizes)\n") }
    }
}
