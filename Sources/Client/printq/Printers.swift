// printq printers: those there are, the default one, pausing; and printq papers.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

struct Printers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, add, change, remove, pause and try printers.",
        subcommands: [
            List.self, Add.self, Change.self, Remove.self, Discover.self, Default.self, Options.self, TestPage.self,
            Pause.self, Resume.self, Policy.self, AfterInterruption.self, Allow.self, Deny.self, Login.self,
            Logout.self, Trust.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the printers; * is the default one.")
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
        static let configuration = CommandConfiguration(abstract: "Show or choose the default printer.")
        @Argument(help: "The printer that is to be the default one.")
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
        static let configuration = CommandConfiguration(abstract: "Let a printer's jobs wait.")
        @Argument(help: "The printer.")
        var name: String
        @Option(help: ArgumentHelp("Why, for whoever asks why a job waits.", valueName: "text"))
        var message: String?
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(
                name, .pausePrinter, message.map { [Attribute("printer-state-message", .text($0))] } ?? [])
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a paused printer go on.")
        @Argument(help: "The printer.")
        var name: String
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(name, .resumePrinter)
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let only some users print on a printer.",
            discussion:
                "Names are users', or, after an @, groups'. The word all alone lets everybody print, none nobody.")
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "Who may print.")
        var users: [String]
        @OptionGroup var session: Session

        func run() async throws {
            try await session.setUsers(PrinterUsers(allowing: users), of: name)
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let some users not print on a printer.",
            discussion:
                "Names are users', or, after an @, groups'. The word none alone lets everybody print, all nobody.")
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "Who may not print.")
        var users: [String]
        @OptionGroup var session: Session

        func run() async throws {
            try await session.setUsers(PrinterUsers(denying: users), of: name)
        }
    }

    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or choose what becomes of a printer's jobs that cannot be delivered.",
            discussion: """
                retry-job: tried again, ever more slowly, at least once a minute. abort-job: given up at the first \
                failure. stop-printer: the printer is paused, and the job waits at its place.
                """)
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "What becomes of its jobs.", transform: ConfiguredPrinter.ErrorPolicy.named)
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
            abstract: "Show or choose what becomes of jobs that the printer gives up in the middle.",
            discussion: """
                A printer gives a job up when it loses power, is reset or has a fault. ask: the job is suspended until \
                'printq resume', 'printq reprint' or 'printq cancel'. continue: the job goes on with the first sheet that was \
                not seen printed. abort: the job is aborted. A document that the printer cannot read is aborted in any case.
                """)
        @Argument(help: "The printer.")
        var name: String
        @Argument(help: "What becomes of its jobs.", transform: ConfiguredPrinter.AfterInterruption.named)
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
    /// The setting of that name, as a command line has it.
    static func named(_ name: String) throws -> ConfiguredPrinter.AfterInterruption {
        guard let setting = ConfiguredPrinter.AfterInterruption(rawValue: name) else {
            let names = ConfiguredPrinter.AfterInterruption.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no setting '\(name.printable)'; there are \(names)")
        }
        return setting
    }
}

extension ConfiguredPrinter.ErrorPolicy {
    /// The policy of that name, as a command line has it.
    static func named(_ name: String) throws -> ConfiguredPrinter.ErrorPolicy {
        guard let policy = ConfiguredPrinter.ErrorPolicy(rawValue: name) else {
            let names = ConfiguredPrinter.ErrorPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no policy '\(name.printable)'; there are \(names)")
        }
        return policy
    }
}

extension Session {
    /// Says who may print on a printer, and what came of it.
    fileprivate func setUsers(_ users: PrinterUsers, of name: String) async throws {
        let queue = try spooler
        let name = try PrinterName.checked(name)
        try await queue.setUsers(users, of: name)
        let printer = PrinterView(try await queue.printer(name, PrinterView.attributeNames))
        let words = printer.usersWords
        StandardOutput.print("\(name) is \(words.isEmpty ? "for everybody" : words)\n")
    }

    /// Does something to a printer, and says how it is then.
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
        abstract: "Show the papers a printer takes; * is what it takes when none is asked for.")

    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let group = try await session.spooler.printer(choice.name, PaperList.attributeNames)
        if output.json { return StandardOutput.print(JSONText(group.attributes)) }
        let papers = PaperList(group)
        StandardOutput.print(papers.table, whenEmpty: "the printer names no papers")
        if let sizes = papers.customSizes { StandardOutput.print("\(sizes)\n") }
    }
}
