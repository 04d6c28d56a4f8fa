// Combines the defaults, the configuration file and the command line.

package enum SettingOrigin: Sendable, Hashable {
    /// The default in the table of settings.
    case standard
    /// A default that applies only if `printq` started `printd`, such as an idle time of 600 seconds.
    case onDemand
    /// A line of the configuration file.
    case file(String, line: Int)
    /// The command line of this `printd` process, or of the killed `printd` process that this process replaces.
    case commandLine
}

/// The settings of one `printd` process, with the origin of each value.
///
/// The command line has precedence over the file. The file has precedence over the defaults.
package struct Configuration: Sendable, Equatable {
    package private(set) var settings = SpoolSettings()
    private var origins: [Setting: SettingOrigin] = [:]

    /// Combines the values of a configuration file and of the command line.
    ///
    /// - Parameters:
    ///   - standards: The default values that replace the default values in the table of settings.
    ///   - commandLine: The settings that the command line sets.
    package init(
        _ file: ConfigurationFile, standards: [Setting: SettingValue] = [:], commandLine: [Setting: SettingValue] = [:]
    ) {
        for (setting, value) in standards { set(setting, value, .onDemand) }
        for (setting, entry) in file.values { set(setting, entry.value, .file(file.path, line: entry.line)) }
        for (setting, value) in commandLine { set(setting, value, .commandLine) }
    }

    private mutating func set(_ setting: Setting, _ value: SettingValue, _ origin: SettingOrigin) {
        settings[setting] = value
        origins[setting] = origin
    }

    package func origin(of setting: Setting) -> SettingOrigin { origins[setting] ?? .standard }

    /// Returns this configuration with the new values of all settings that can change without a restart.
    ///
    /// The function also replaces the origins of these settings.
    ///
    /// - Returns: The combined configuration, the settings whose values have changed, and the settings whose new values
    ///   require a restart.
    package func reloaded(from new: Configuration) -> (
        configuration: Configuration, changed: [Setting], waiting: [Setting]
    ) {
        var result = self
        var (changed, waiting): ([Setting], [Setting]) = ([], [])
        for setting in Setting.all {
            let isEqual = settings[setting] == new.settings[setting]
            if setting.needsRestart, !isEqual {
                waiting.append(setting)
            } else {
                result.set(setting, new.settings[setting], new.origin(of: setting))
                if !isEqual { changed.append(setting) }
            }
        }
        return (result, changed, waiting)
    }
}
