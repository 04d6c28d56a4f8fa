// The command `printq hosts`, which lists and changes the hosts of a shared queue.

import ArgumentParser
import PrintqOutput
import PrintModel
import SpoolerClient

struct Hosts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "List and change the hosts that share the queue.",
        discussion: """
            Several hosts share a queue in a PostgreSQL database (the setting 'store'). Each host accepts jobs for all \
            printers, and one host at a time drives a printer. After 10 seconds without contact to a host, other hosts \
            take its printers. Only administrators can change hosts.
            """,
        subcommands: [List.self, Drain.self, Resume.self, Move.self, Restrict.self, Remove.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the hosts, and the host that drives each printer.",
            discussion: """
                States: alive; draining, see 'printq hosts drain'; stopped, if printd was shut down normally; lost, if \
                the host has been silent for 10 seconds.
                """)
        @OptionGroup var choices: ListChoice

        func run() async throws {
            let list = try await choices.spooler.hosts()
            if choices.json { return StandardOutput.print(list.json) }
            let (now, times) = (Session.now, TimeStyle.chosen(absolute: choices.absolute))
            StandardOutput.print(
                list.hostTable(now: now, times: times), whenEmpty: "there are no hosts",
                isStyled: choices.color.isStyled)
            StandardOutput.print("\n")
            StandardOutput.print(
                list.placementTable(now: now, times: times), whenEmpty: "there are no printers",
                isStyled: choices.color.isStyled)
        }
    }

    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drain",
            abstract: "Make a host release its printers, for example before maintenance.",
            discussion: """
                The host finishes its jobs in progress, takes no other printers, and still accepts jobs. Other hosts \
                take its printers.
                """)
        @OptionGroup var host: HostArgument
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws { try await session.change(.drain(host: host.name), output) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Let a drained host take printers again.")
        @OptionGroup var host: HostArgument
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws { try await session.change(.resume(host: host.name), output) }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move a printer to a host, or end the preference for a host.",
            discussion: """
                The host drives the printer while the host is alive and does not drain. Otherwise another host drives \
                the printer. The current host finishes its job in progress first.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var printer: String
        @Argument(help: "The host that drives the printer.", completion: .hosts)
        var host: String?
        @Flag(help: "Ends the preference for a host: the hosts share the printers evenly.")
        var evenly = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func validate() throws {
            if evenly, host != nil { throw ValidationError("--evenly cannot be combined with a host") }
            if !evenly, host == nil { throw ValidationError("specify a host or --evenly") }
        }

        func run() async throws {
            try await session.change(.move(printer: try PrinterName.checked(printer), host: host), output)
        }
    }

    struct Restrict: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restrict",
            abstract: "Set the hosts that can reach a printer.",
            discussion: """
                Without hosts, all hosts can reach the printer. Simulated printers, folders and local CUPS queues stay \
                with the host on which they were added.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var printer: String
        @Argument(help: "The hosts that can reach the printer (default: all hosts).", completion: .hosts)
        var hosts: [String] = []
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            try await session.change(.restrict(printer: try PrinterName.checked(printer), hosts: hosts), output)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a host that no longer runs printd from the list.")
        @OptionGroup var host: HostArgument
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws { try await session.change(.remove(host: host.name), output) }
    }
}

/// The host that a command changes.
struct HostArgument: ParsableArguments {
    @Argument(help: "The host (see 'printq hosts').", completion: .hosts)
    var name: String
}

extension Session {
    /// Changes the hosts of the queue, and reports the change.
    fileprivate func change(_ change: HostChange, _ output: OutputChoice) async throws {
        let list = try await spooler.changeHosts(change)
        if output.json { return StandardOutput.print(change.json(list)) }
        StandardOutput.print(change.report(list).printable + "\n")
    }
}
