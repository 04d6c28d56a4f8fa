// The command `printq config set`.

import ArgumentParser
import SpoolConfiguration
import SpoolerClient

struct ChangeSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting.",
        discussion: """
            Changes the configuration file, keeps its comments, and makes printd read the file. The value null is the \
            default. Only root can change the settings of the system spooler.

              printq config set keepJobs 500
              printq config set listen localhost:8631
            """)

    @Argument(help: ArgumentHelp("The key of the setting; 'printq config show' lists all keys.", valueName: "key"))
    var key: String
    @Argument(help: ArgumentHelp("The new value, in JSON5 or as text.", valueName: "value"))
    var value: String
    @OptionGroup var choice: ConfigurationChoice

    func run() async throws {
        guard let setting = Setting.named(key) else {
            throw SpoolerClientError(.usage, Setting.unknown(key.printable))
        }
        let new: SettingValue
        do throws(SettingProblem) { new = try setting.value(ofArgument: value) } catch {
            throw SpoolerClientError(.usage, error.description.printable)
        }
        let (running, path) = try await choice.changed()
        let old = try choice.change(setting, to: new, in: path)
        let was = old == new ? "" : " (was \(old.literal))"
        StandardOutput.print("\(setting.key) = \(new.literal)\(was) in '\(path.printable)'\n")
        try await choice.report([setting], to: running)
    }
}

extension ConfigurationChoice {
    /// Returns the settings of the running printd, and the configuration file that a command changes.
    ///
    /// - Throws: `usage` if printd uses another file.
    func changed() async throws(SpoolerClientError) -> (running: RunningSettings?, path: String) {
        let running = try await running()
        let path = try path
        if configuration == nil, let used = running?.file, used != path {
            throw SpoolerClientError(
                .usage,
                "printd uses the configuration file '\(used.printable)'; to change this file, add --configuration "
                    + used.printable)
        }
        return (running, path)
    }

    /// Makes the running printd read the changed file, and reports whether printd uses the values.
    func report(_ settings: [Setting], to running: RunningSettings?) async throws(SpoolerClientError) {
        let value = settings.count == 1 ? "value" : "values"
        guard running != nil else {
            let verb = settings.count == 1 ? "takes" : "take"
            return StandardOutput.print("printd is not running; the \(value) \(verb) effect when printd starts\n")
        }
        do throws(SpoolerClientError) {
            let (_, waiting) = try await session.spooler.reloadConfiguration()
            let isWaiting = settings.contains { waiting.contains($0.key) }
            StandardOutput.print(
                isWaiting
                    ? "printd uses the \(value) after a restart; \(try session.place.restartAdvice)\n"
                    : try await overriding(settings) ?? "printd uses the \(value) now\n")
        } catch {
            throw SpoolerClientError(
                error.code, "the file was changed, but printd did not reload the file: \(error.message)", cause: error)
        }
    }

    /// Returns a warning that the command line of printd overrides a setting; nil if the command line overrides none.
    private func overriding(_ settings: [Setting]) async throws(SpoolerClientError) -> String? {
        let values = try await running()?.values
        guard let setting = settings.first(where: { values?[$0]?.origin == "command-line" }) else { return nil }
        return "the command line of printd (\(setting.option ?? "an option")) overrides the value\n"
    }

    /// The maximum number of attempts to change the configuration file.
    ///
    /// An attempt fails if another process changes the file at the same time.
    private static let mostAttempts = 5

    /// Changes a setting in the configuration file, and returns the old value of the setting.
    func change(
        _ setting: Setting, to new: SettingValue, in path: String
    ) throws(SpoolerClientError) -> SettingValue {
        var attempts = 0
        while true {
            attempts += 1
            let content = ConfigurationFile(path: path, checksFiles: false)
            do throws(ConfigurationFile.ChangeError) {
                let text = try content.setting(setting, to: new)
                let changed = ConfigurationFile(path: path, bytes: Array(text.utf8), checksFiles: true)
                if let line = changed.values[setting]?.line,
                    let problem = changed.problems.first(where: { $0.line == line })
                {
                    throw ConfigurationFile.ChangeError(isInvalid: true, description: problem.message)
                }
                try content.write(text)
                return content.values[setting]?.value ?? setting.standard
            } catch {
                if error.isOutdated, attempts < Self.mostAttempts { continue }
                throw failure(error, setting)
            }
        }
    }

    private func failure(_ error: ConfigurationFile.ChangeError, _ setting: Setting) -> SpoolerClientError {
        if error.isPermission {
            let isSystem = (try? session.place.isSystem) ?? false
            let advice =
                isSystem
                ? "the settings of the system spooler belong to root: run 'sudo printq config set \(setting.key) …'"
                : "change the settings as the owner of the spool"
            return SpoolerClientError(.noPermission, "\(error.description.printable); \(advice)", cause: error)
        }
        return SpoolerClientError(
            error.isInvalid ? .configuration : .output,
            error.description.printable + (error.isMissing ? "; 'printq init' creates the spool" : ""), cause: error)
    }
}
