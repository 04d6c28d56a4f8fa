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
        let running = try await choice.running()
        let path = try choice.path
        if choice.configuration == nil, let used = running?.file, used != path {
            throw SpoolerClientError(
                .usage,
                "printd uses the configuration file '\(used.printable)'; to change this file, add --configuration "
                    + used.printable)
        }
        let old = try choice.change(setting, to: new, in: path)
        let was = old == new ? "" : " (was \(old.literal))"
        StandardOutput.print("\(setting.key) = \(new.literal)\(was) in '\(path.printable)'\n")
        guard running != nil else {
            return StandardOutput.print("printd is not running; the value takes effect when printd starts\n")
        }
        do throws(SpoolerClientError) {
            let (_, waiting) = try await choice.session.spooler.reloadConfiguration()
            let isWaiting = waiting.contains(setting.key)
            StandardOutput.print(
                isWaiting
                    ? "printd uses the value after a restart; \(try choice.session.place.restartAdvice)\n"
                    : try await overriding(setting) ?? "printd uses the value now\n")
        } catch {
            throw SpoolerClientError(
                error.code, "the file was changed, but printd did not reload the file: \(error.message)", cause: error)
        }
    }

    /// Returns a warning that the command line of printd overrides a setting; nil if the command line does not override
    /// the setting.
    private func overriding(_ setting: Setting) async throws(SpoolerClientError) -> String? {
        guard try await choice.running()?.values[setting]?.origin == "command-line" else { return nil }
        return "the command line of printd (\(setting.option ?? "an option")) overrides the value\n"
    }
}

extension ConfigurationChoice {
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
