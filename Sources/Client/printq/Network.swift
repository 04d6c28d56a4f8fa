// The command `printq network`, which opens printd to clients on the network.

import ArgumentParser
import SpoolConfiguration
import SpoolExport
import SpoolerClient

struct Network: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Open printd to clients on the network, or close it.",
        discussion: """
            Clients on the network print at ipps://NAME:8632/printers/PRINTER. They must use TLS, and a password (see \
            'printq users') or a token (see 'printq tokens'); otherwise they see only the printers.
            """,
        subcommands: [Show.self, Enable.self, Disable.self],
        defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the addresses, the allowed networks and the names.")
        @OptionGroup var output: OutputChoice
        @OptionGroup var choice: ConfigurationChoice

        func run() async throws {
            let file = ConfigurationFile(path: try choice.path, checksFiles: false)
            func value(_ setting: Setting) -> SettingValue { file.values[setting]?.value ?? setting.standard }
            if output.json {
                let settings: [Setting] = [.networkListen, .networkAllow, .networkAnonymous, .networkNames]
                return StandardOutput.print(JSONText.object(settings.map { ($0.key, value($0).json) }))
            }
            guard value(.networkListen) != .list([]) else {
                return StandardOutput.print(
                    "printd does not listen on the network; 'printq network enable' opens it\n")
            }
            func text(_ setting: Setting) -> String {
                value(setting) == .list([]) ? setting.defaultText : value(setting).description.printable
            }
            StandardOutput.print(
                """
                addresses  \(value(.networkListen).description.printable)
                networks   \(value(.networkAllow).description.printable)
                anonymous  \(text(.networkAnonymous))
                names      \(text(.networkNames))

                """)
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Open printd to clients on the network.",
            discussion: """
                Writes the settings network.listen, network.allow, network.anonymous and network.names.

                  printq network enable --allow 192.168.1.0/24 --name print.example.com
                """)
        @Option(
            help: ArgumentHelp(
                "An address to listen on; repeatable (default: 0.0.0.0:8632, all IPv4 addresses).",
                valueName: "address:port"))
        var listen: [String] = []
        @Option(
            help: ArgumentHelp(
                "A network whose clients may connect; repeatable (default: the local networks).",
                valueName: "address/bits"))
        var allow: [String] = []
        @Option(
            help: ArgumentHelp(
                "A network whose clients can use printers shared with --anonymous; repeatable (default: all allowed "
                    + "networks).", valueName: "address/bits"))
        var anonymous: [String] = []
        @Option(
            help: ArgumentHelp(
                "A name by which clients call this server; repeatable (default: the host name).", valueName: "name"))
        var name: [String] = []
        @OptionGroup var choice: ConfigurationChoice

        func run() async throws {
            try await choice.change([
                (.networkListen, listen.isEmpty ? ["0.0.0.0:8632"] : listen), (.networkAllow, allow),
                (.networkAnonymous, anonymous), (.networkNames, name),
            ])
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Close printd to clients on the network.")
        @OptionGroup var choice: ConfigurationChoice

        func run() async throws { try await choice.change([(.networkListen, [])]) }
    }
}

extension ConfigurationChoice {
    /// Changes settings whose values are lists, and reports whether printd uses them.
    ///
    /// An empty list means the default.
    fileprivate func change(_ lists: [(setting: Setting, texts: [String])]) async throws {
        var changes: [(setting: Setting, value: SettingValue)] = []
        for (setting, texts) in lists {
            do throws(SettingProblem) {
                changes.append((setting, texts.isEmpty ? setting.standard : try setting.value(ofElements: texts)))
            } catch {
                throw SpoolerClientError(.usage, error.description.printable)
            }
        }
        let (running, path) = try await changed()
        for (setting, value) in changes {
            _ = try change(setting, to: value, in: path)
            StandardOutput.print("\(setting.key) = \(value.literal.printable) in '\(path.printable)'\n")
        }
        try await report(changes.map(\.setting), to: running)
    }
}
