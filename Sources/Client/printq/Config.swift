// The command `printq config`, which shows, changes and checks the settings of printd.

import ArgumentParser
import FoundationEssentials
import PrintqOutput
import SpoolConfiguration
import SpoolerClient

struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, change and check the settings of printd.",
        discussion: """
            The settings are in a JSON5 file: /etc/printq/printd.json5 for the system spooler, which belongs to root, \
            and printd.json5 in the folder of a private spool.
            """,
        subcommands: [ShowSettings.self, ChangeSetting.self, CheckConfiguration.self, ReloadConfiguration.self],
        defaultSubcommand: ShowSettings.self)
}

/// The configuration file that a command uses.
struct ConfigurationChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: the configuration file of the spool).", valueName: "file"))
    var configuration: String?
    @OptionGroup var session: Session

    /// The path of the configuration file.
    var path: String {
        get throws(SpoolerClientError) {
            if let configuration { return Self.absolute(configuration) }
            return try session.place.configuration
        }
    }

    /// Converts a path to an absolute path.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// Returns the settings of the running `printd`; nil if `printd` is not running.
    ///
    /// This function does not start `printd`.
    func running() async throws(SpoolerClientError) -> RunningSettings? {
        guard try session.daemon.answers() else { return nil }
        return RunningSettings(try await session.spooler.settings())
    }
}

struct RunningSettings {
    /// The path of printd's configuration file.
    private(set) var file: String?
    private(set) var values: [Setting: (value: SettingValue, origin: String, line: Int?)] = [:]

    /// Reads the JSON objects that printd returns.
    ///
    /// Unknown settings of a newer printd are ignored.
    init(_ objects: [String]) {
        for document in objects.compactMap({ try? JSON5Document($0) }) {
            func text(_ key: String) -> String? {
                guard case .string(let text)? = document.node(at: [key])?.content else { return nil }
                return text
            }
            if let file = text("file") { self.file = file }
            guard let setting = text("key").flatMap(Setting.named), let node = document.node(at: ["value"]),
                let value = try? setting.value(of: node)
            else { continue }
            var line: Int?
            if case .number(let number)? = document.node(at: ["line"])?.content { line = Int(exactly: number) }
            values[setting] = (value, text("origin") ?? "default", line)
        }
    }
}

struct CheckConfiguration: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a configuration file.",
        discussion: "Lists all problems with their line numbers. Exits with code 78 if there is a problem.")

    @Argument(help: "The file (default: the configuration file of the spool).")
    var file: String?
    @OptionGroup var output: OutputChoice
    @OptionGroup var choice: ConfigurationChoice

    func run() throws {
        let path = try file.map(ConfigurationChoice.absolute) ?? choice.path
        let content = ConfigurationFile(path: path)
        guard content.exists else {
            guard file == nil, choice.configuration == nil else {
                throw SpoolerClientError(.noInput, "cannot open '\(path.printable)': no such file")
            }
            guard !output.json else { return StandardOutput.print(report(of: content, at: path)) }
            return StandardOutput.print("ok: '\(path.printable)' does not exist, so all settings have their defaults\n")
        }
        if output.json {
            StandardOutput.print(report(of: content, at: path))
        } else {
            for problem in content.problems { StandardOutput.show(problem.description.printable + "\n") }
        }
        let count = content.problems.count
        guard count == 0 else {
            throw SpoolerClientError(
                .configuration, "\(count == 1 ? "1 problem" : "\(count) problems") in '\(path.printable)'")
        }
        guard !output.json else { return }
        let settings = content.values.count
        StandardOutput.print("ok: '\(path.printable)' sets \(settings == 1 ? "1 setting" : "\(settings) settings")\n")
    }

    private func report(of content: ConfigurationFile, at path: String) -> JSONText {
        .object([
            ("file", .string(path)), ("settings", .number(content.values.count)),
            (
                "problems",
                .array(
                    content.problems.map { problem in
                        .object([
                            ("line", problem.line.map { .number($0) } ?? .null), ("message", .string(problem.message)),
                        ])
                    })
            ),
        ])
    }
}

struct ReloadConfiguration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration of printd.",
        discussion: """
            Only administrators can reload the configuration. printd also reads its configuration when it receives \
            SIGHUP.
            """)

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        guard try session.daemon.answers() else {
            if output.json { return StandardOutput.print(.object([("running", .bool(false))])) }
            return StandardOutput.print("printd is not running; the configuration takes effect when printd starts\n")
        }
        let (changed, waiting) = try await session.spooler.reloadConfiguration()
        if output.json {
            return StandardOutput.print(
                .object([
                    ("running", .bool(true)), ("changed", .strings(changed)), ("after-restart", .strings(waiting)),
                ]))
        }
        StandardOutput.print(
            changed.isEmpty ? "no setting has changed\n" : "changed: \(changed.joined(separator: ", "))\n")
        if !waiting.isEmpty {
            StandardOutput.print(
                "after restart: \(waiting.joined(separator: ", ")); \(try session.place.restartAdvice)\n")
        }
    }
}

extension SpoolLocation {
    /// The part of a message that explains how to restart the printd of this spool.
    var restartAdvice: String {
        isSystem
            ? "run 'systemctl restart printd.service' as root"
            : "stop printd with SIGTERM ('printq status' shows the process ID); the next command starts printd again"
    }
}
