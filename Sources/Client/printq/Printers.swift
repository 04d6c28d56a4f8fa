// The command `printq printers` and its smaller subcommands, and `printq papers`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

struct Printers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, add, change, remove and test printers.",
        subcommands: [
            List.self, Add.self, Change.self, Remove.self, Discover.self, Default.self, Options.self, TestPage.self,
            Pause.self, Resume.self, Policy.self, AfterInterruption.self, Allow.self, Deny.self, Login.self,
            Logout.self, Trust.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the printers; * marks the default printer.")
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let answer = try await session.spooler.ask(.cupsGetPrinters, requested: PrinterView.attributeNames)
            let groups = answer.groups(.printer)
            if output.json { return StandardOutput.print(.array(groups.map { JSONText($0.attributes) })) }
            StandardOutput.print(groups.map(PrinterView.init).table, whenEmpty: "there are no printers")
        }
    }

    struct Default: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show or set the default printer.")
        @Argument(help: "The new default printer.")
        var name: String?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            if let name { try await queue.ask(.cupsSetDefault, printer: PrinterName.checked(name)) }
            let answer = try await queue.ask(.cupsGetDefault, requested: ["printer-name"])
            let printer = answer[.printer]?.string("printer-name") ?? ""
            if output.json { return StandardOutput.print(.object([("printer-name", .string(printer))])) }
            StandardOutput.print(printer.printable + "\n")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Pause a printer.")
        @Argument(help: "The printer.")
        var name: String
        @Option(help: ArgumentHelp("The reason, which 'printq why' shows.", valueName: "text"))
        var message: String?
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(
                name, .pausePrinter, message.map { [Attribute("printer-state-message", .text($0))] } ?? [])
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Resume a paused printer.")
        @Argument(help: "The printer.")
        var name: String
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(name, .resumePrinter)
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Allow only some users to print on a printer.",
            discussion:
                "A name with @ in front is a group. 'all' allows everybody, 'none' allows nobody.")
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "The users who may print.")
        var users: [String]
        @OptionGroup var session: Session

        func run() async throws {
            try await session.setUsers(PrinterUsers(allowing: users), of: name)
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deny printing on a printer to some users.",
            discussion:
                "A name with @ in front is a group. 'all' denies everybody, 'none' denies nobody.")
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "The users who may not print.")
        var users: [String]
        @OptionGroup var session: Session

        func run() async throws {
            try await session.setUsers(PrinterUsers(denying: users), of: name)
        }
    }

    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or set the handling of a printer's jobs that cannot be delivered.",
            discussion: """
                retry-job: retry the job with backoff, at least once a minute. abort-job: abort the job at the first \
                failure. stop-printer: pause the printer; the job keeps its place in the queue.
                """)
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "The new policy.", transform: ConfiguredPrinter.ErrorPolicy.named)
        var policy: ConfiguredPrinter.ErrorPolicy?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            if let policy { try await queue.change(printer: name, [policy.attributes[0]]) }
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
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "The new setting.", transform: ConfiguredPrinter.AfterInterruption.named)
        var setting: ConfiguredPrinter.AfterInterruption?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            let attribute = "printq-after-interruption"
            if let setting { try await queue.change(printer: name, [setting.attribute]) }
            let setting = try await queue.printer(name, [attribute]).keywords(attribute).first ?? ""
            if output.json { return StandardOutput.print(.object([(attribute, .string(setting))])) }
            StandardOutput.print(setting.printable + "\n")
        }
    }
}

extension ConfiguredPrinter.AfterInterruption {
    /// Returns the setting with a name from the command line.
    static func named(_ name: String) throws -> ConfiguredPrinter.AfterInterruption {
        guard let setting = ConfiguredPrinter.AfterInterruption(rawValue: name) else {
            let names = ConfiguredPrinter.AfterInterruption.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("unknown setting '\(name.printable)'; use one of \(names)")
        }
        return setting
    }
}

extension ConfiguredPrinter.ErrorPolicy {
    /// Returns the policy with a name from the command line.
    static func named(_ name: String) throws -> ConfiguredPrinter.ErrorPolicy {
        guard let policy = ConfiguredPrinter.ErrorPolicy(rawValue: name) else {
            let names = ConfiguredPrinter.ErrorPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("unknown policy '\(name.printable)'; use one of \(names)")
        }
        return policy
    }
}

extension Session {
    /// Sets the users who may print on a printer, and prints the result.
    fileprivate func setUsers(_ users: PrinterUsers, of name: String) async throws {
        let queue = try spooler
        let name = try PrinterName.checked(name)
        try await queue.setUsers(users, of: name)
        let printer = PrinterView(try await queue.printer(name, PrinterView.attributeNames))
        let words = printer.usersWords
        StandardOutput.print("\(words.isEmpty ? "everybody may print" : words) on \(name)\n")
    }

    /// Sends an operation to a printer, and prints the printer's new state.
    fileprivate func change(_ name: String, _ operation: Operation, _ attributes: [Attribute] = []) async throws {
        let queue = try spooler
        let name = try PrinterName.checked(name)
        try await queue.ask(operation, printer: name, attributes: attributes)
        let printer = PrinterView(try await queue.printer(name, PrinterView.attributeNames))
        StandardOutput.print("\(name) is \(printer.stateWords)\n")
    }
}

struct Papers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the papers that a printer supports; * marks the default paper.")

    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let group = try await session.spooler.printer(choice.name, PaperList.attributeNames)
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let papers = PaperList(group)
        StandardOutput.print(papers.table, whenEmpty: "the printer reports no papers")
        if let sizes = papers.customSizes { StandardOutput.print("\(sizes)\n") }
    }
}
