// The command `printq quota`, which lists, sets and removes quotas, and shows and corrects what users have used.

public import ArgumentParser
public import PrintModel
import PrintqOutput
import SpoolerClient

struct QuotaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota",
        abstract: "Limit what users print in a period, or with one job.",
        discussion: """
            A quota limits each of its users separately. For each limit, the quota of the user itself applies, otherwise \
            the quota of a group, of guests, and of everyone. Printed pages count when a job ends, and unfinished jobs \
            count with their length. Only administrators set quotas.
            """,
        subcommands: [Show.self, List.self, Set.self, Remove.self, TopUp.self, Refund.self, Reset.self],
        defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show what you, or another user, can still print.")
        @Argument(help: "The user; only administrators can name other users.")
        var user: String?
        @OptionGroup var choices: ReportChoice

        func run() async throws {
            let (standings, perJob) = try await choices.spooler.quotaStandings(of: user)
            if choices.json { return StandardOutput.print(QuotaStanding.json(of: standings, perJob: perJob)) }
            if standings.isEmpty && perJob.isEmpty { return StandardOutput.print("no quota applies\n") }
            if !standings.isEmpty { StandardOutput.print(QuotaStanding.table(of: standings), whenEmpty: "") }
            if !perJob.isEmpty { StandardOutput.print(Quota.table(of: perJob), whenEmpty: "") }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List all quotas.")
        @OptionGroup var choices: ReportChoice

        func run() async throws {
            let quotas = try await choices.spooler.quotas()
            if choices.json { return StandardOutput.print(Quota.json(of: quotas)) }
            StandardOutput.print(
                Quota.table(of: quotas), whenEmpty: "there are no quotas; 'printq quota set' sets one")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set a quota, in place of the quota of the same users and period.",
            discussion: """
                Periods begin at midnight, weeks on Monday. The limits of copies and color require '--per job'.

                  printq quota set everyone --per month --pages 500
                  printq quota set @students --per job --copies 5 --color 08:00-17:00
                """)
        @Argument(help: .subject)
        var subject: Quota.Subject
        @Option(help: "job, day, week or month.")
        var per: Quota.Period
        @Option(help: "The maximum number of pages: sides with content.")
        var pages: Int?
        @Option(help: "The maximum number of sheets.")
        var sheets: Int?
        @Option(help: "The maximum number of copies of a job.")
        var copies: Int?
        @Option(help: "The hours in which color is permitted: always, never, or a range such as 08:00-17:00.")
        var color: ColorHours?
        @OptionGroup var choices: ReportChoice

        func validate() throws {
            guard quota.isValid else {
                throw ValidationError(
                    "use --pages, --sheets, --copies or --color with a number that is not negative; --copies and --color "
                        + "require '--per job'")
            }
        }

        private var quota: Quota {
            Quota(subject, per: per, pages: pages, sheets: sheets, copies: copies, color: color)
        }

        func run() async throws {
            try await QuotaCommand.change(.set(quota), "set the quota of \(subject.words) per \(per.rawValue)", choices)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove quotas.")
        @Argument(help: .subject)
        var subject: Quota.Subject
        @Option(help: "job, day, week or month (default: all periods).")
        var per: Quota.Period?
        @OptionGroup var choices: ReportChoice

        func run() async throws {
            try await QuotaCommand.change(.remove(subject, per), "removed the quotas of \(subject.words)", choices)
        }
    }

    struct TopUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "top-up",
            abstract: "Add pages or sheets to the current periods of a user.")
        @Argument(help: "The user, or a guest such as anna@192.0.2.7.")
        var user: String
        @Option(help: "The number of pages to add.")
        var pages = 0
        @Option(help: "The number of sheets to add.")
        var sheets = 0
        @OptionGroup var choices: ReportChoice

        func validate() throws {
            guard pages >= 0, sheets >= 0, pages + sheets > 0 else {
                throw ValidationError("use --pages or --sheets with a positive number")
            }
        }

        func run() async throws {
            try await QuotaCommand.change(
                .topUp(user: user, pages: pages, sheets: sheets),
                "added \(pages) pages and \(sheets) sheets for '\(user)'",
                choices)
        }
    }

    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refund",
            abstract: "Return the pages and sheets of an ended job to its owner.",
            discussion: "The pages count for the current periods. A job is refunded once.")
        @Argument(help: "The number of the job.")
        var job: Int
        @OptionGroup var choices: ReportChoice

        func run() async throws {
            try await QuotaCommand.change(.refund(job: job), "refunded job \(job)", choices)
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Let the current periods of a user begin again: nothing that the user has printed counts.")
        @Argument(help: "The user, or a guest such as anna@192.0.2.7.")
        var user: String
        @OptionGroup var choices: ReportChoice

        func run() async throws {
            try await QuotaCommand.change(.reset(user: user), "reset the quotas of '\(user)'", choices)
        }
    }

    private static func change(_ change: QuotaChange, _ sentence: String, _ choices: ReportChoice) async throws {
        let quotas = try await choices.spooler.changeQuotas(change)
        if choices.json { return StandardOutput.print(Quota.json(of: quotas)) }
        StandardOutput.print(sentence.printable + "\n")
    }
}

extension ArgumentHelp {
    fileprivate static var subject: ArgumentHelp {
        ArgumentHelp("A user, a group of this machine such as @students, guests (each address), or everyone.")
    }
}

extension Quota.Period: ExpressibleByArgument {}

extension Quota.Subject: ExpressibleByArgument {
    /// Parses a user, a group, `guests` or `everyone`.
    public init?(argument: String) { self.init(label: argument) }
}

extension ColorHours: ExpressibleByArgument {
    /// Parses `always`, `never`, or a range of hours.
    public init?(argument: String) { self.init(argument) }
}
