// Reads the settings of a running printd, and makes it read its configuration again.

import IPP
import PrintIPP

extension Spooler {
    /// The printer attribute that contains the settings of printd.
    package static let settingsName = "printq-settings"

    /// Returns the settings of the running printd, as JSON objects.
    ///
    /// The first object contains the path of the configuration file, and each further object contains one setting.
    package func settings() async throws(SpoolerClientError) -> [String] {
        try await printer(nil, [Self.settingsName]).strings(Self.settingsName)
    }

    /// Requests that printd reload its configuration.
    ///
    /// - Returns: The keys of the settings that have changed, and the keys of the settings that take effect only after
    ///   a restart.
    /// - Throws: `notDone` if the configuration is invalid; `noPermission` if the user is not an administrator.
    package func reloadConfiguration() async throws(SpoolerClientError) -> (changed: [String], waiting: [String]) {
        let group = try await ask(.printqReloadConfiguration)[.printer]
        return (
            group?.strings("printq-changed-settings") ?? [], group?.strings("printq-settings-after-restart") ?? []
        )
    }
}
