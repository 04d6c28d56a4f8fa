// The configuration of the running printd, which can be read again.

import AsyncPrimitives
import FoundationEssentials
import IPP
import Logging
import PrintIPP
import PrintServer
import SpoolConfiguration
import Synchronization

/// The configuration of the running `printd` process.
///
///     let configuration = try LiveConfiguration(file: "/etc/printq/printd.json5")
///     configuration.settings.keepJobs         // 1000
///     await configuration.reload()            // after a change of the file
final class LiveConfiguration: Sendable {
    /// The path of the configuration file.
    let file: String
    private let isRequired: Bool
    private let standards: [Setting: SettingValue]
    private let commandLine: [Setting: SettingValue]
    private let logger = Logger(label: "printd")
    private let state: Mutex<State>

    private struct State {
        var configuration: Configuration
        var apply: (@Sendable (SpoolSettings) -> Void)?
        var afterwards: (@Sendable () async -> Void)?
    }

    struct ReloadResult: Sendable {
        var changed: [Setting] = []
        /// The settings whose new values take effect when printd starts again.
        var waiting: [Setting] = []
        /// The problems of the configuration file.
        ///
        /// If the file has a problem, all settings are unchanged.
        var problems: [ConfigurationProblem] = []
    }

    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - file: The absolute path of the file. Without the file, the defaults apply.
    ///   - isRequired: Whether a missing file is an error.
    ///   - standards: The default values that replace the built-in default values.
    ///   - commandLine: The settings that the command line sets.
    /// - Throws: All problems of the file.
    init(
        file: String, isRequired: Bool, standards: [Setting: SettingValue], commandLine: [Setting: SettingValue]
    ) throws(Problems) {
        let content = ConfigurationFile(path: file)
        let problems = Self.problems(of: content, isRequired: isRequired)
        guard problems.isEmpty else { throw Problems(list: problems) }
        self.file = file
        self.isRequired = isRequired
        self.standards = standards
        self.commandLine = commandLine
        state = Mutex(State(configuration: Configuration(content, standards: standards, commandLine: commandLine)))
    }

    private static func problems(of content: ConfigurationFile, isRequired: Bool) -> [ConfigurationProblem] {
        guard isRequired, !content.exists else { return content.problems }
        return [ConfigurationProblem(file: content.path, line: nil, message: "the configuration file does not exist")]
    }

    /// The problems of a configuration file.
    struct Problems: Error, CustomStringConvertible {
        var list: [ConfigurationProblem]

        /// The description of the first problem, with the number of further problems.
        var description: String {
            let others = list.count - 1
            let more = others > 0 ? " (and \(others) more; 'printq config check' lists all problems)" : ""
            return (list.first.map(\.description) ?? "") + more
        }
    }

    /// The settings that are in effect.
    var settings: SpoolSettings { state.withLock { $0.configuration.settings } }

    /// Returns the origin of a setting's current value, for example the configuration file.
    func origin(of setting: Setting) -> SettingOrigin { state.withLock { $0.configuration.origin(of: setting) } }

    /// Sets the functions that put new settings into effect.
    ///
    /// - Parameters:
    ///   - apply: A function that each reload calls with all settings. The settings may be unchanged, because a reload
    ///     also reads the document types. The function must not block.
    ///   - afterwards: A function that is called after `apply`.
    func onReload(
        _ apply: @escaping @Sendable (SpoolSettings) -> Void, afterwards: @escaping @Sendable () async -> Void
    ) {
        state.withLock { ($0.apply, $0.afterwards) = (apply, afterwards) }
    }

    // MARK: - Reload

    /// Reads the configuration file again, and puts the new values into effect.
    ///
    /// The reload closes no connection, and does not affect jobs in progress. Settings that require a restart do not
    /// change, but are logged. If the file has a problem, no setting changes, and the problems are logged.
    @discardableResult
    func reload() async -> ReloadResult {
        await withTaskExecutorPreference(BlockingThreads.shared) { await reloadNow() }
    }

    private func reloadNow() async -> ReloadResult {
        BlockingCall.check()
        let content = ConfigurationFile(path: file)
        let problems = Self.problems(of: content, isRequired: isRequired)
        guard problems.isEmpty else {
            for problem in problems {
                logger.error("the configuration is invalid; the old settings stay in effect: \(problem)")
            }
            return ReloadResult(problems: problems)
        }
        let new = Configuration(content, standards: standards, commandLine: commandLine)
        // One reload at a time: the settings of the last one stay in effect.
        let (result, afterwards) = state.withLock { state in
            let (configuration, changed, waiting) = state.configuration.reloaded(from: new)
            state.configuration = configuration
            state.apply?(configuration.settings)
            return (ReloadResult(changed: changed, waiting: waiting), state.afterwards)
        }
        await afterwards?()
        let changed = result.changed.map { "\($0.key) = \(new.settings[$0].literal)" }.joined(separator: ", ")
        logger.notice("configuration reloaded from \(file)", metadata: ["changed": "\(changed)"])
        for setting in result.waiting {
            logger.warning("the new value of \(setting.key) takes effect when printd starts again")
        }
        return result
    }

    // MARK: - For clients

    /// The functions that `printq config` uses to read and reload the configuration.
    var served: ServerConfiguration {
        ServerConfiguration(settings: { self.descriptions }) {
            let result = await self.reload()
            guard result.problems.isEmpty else {
                throw IPPFailure(
                    .clientErrorNotPossible,
                    "the old settings stay in effect, because the configuration is invalid: "
                        + Problems(list: result.problems).description)
            }
            return [
                Self.keys("printq-changed-settings", result.changed),
                Self.keys("printq-settings-after-restart", result.waiting),
            ].compactMap(\.self)
        }
    }

    private static func keys(_ name: String, _ settings: [Setting]) -> Attribute? {
        settings.isEmpty ? nil : Attribute(name, settings.map { .text($0.key) })
    }

    /// The path of the configuration file and all settings, each as one JSON object.
    private var descriptions: [String] {
        let configuration = state.withLock(\.configuration)
        return [Self.json([("file", .text(file))])]
            + Setting.all.map { setting in
                var members: [(String, SettingValue)] = [
                    ("key", .text(setting.key)), ("value", configuration.settings[setting]),
                ]
                switch configuration.origin(of: setting) {
                case .standard: members.append(("origin", .text("default")))
                case .onDemand: members.append(("origin", .text("printq")))
                case .commandLine: members.append(("origin", .text("command-line")))
                case .file(_, let line):
                    members += [("origin", .text("file")), ("line", .integer(line))]
                }
                return Self.json(members)
            }
    }

    private static func json(_ members: [(String, SettingValue)]) -> String {
        "{" + members.map { "\"\($0.0)\": \($0.1.literal)" }.joined(separator: ", ") + "}"
    }
}
