// The settings of the server, as the service shows and reloads them.

public import IPP
import PrintIPP

/// The configuration that `printq config show` displays and `printq config reload` reads again.
public struct ServerConfiguration: Sendable {
    /// The name of the attribute that contains the settings, with one JSON object for each setting.
    public static let attributeName = "printq-settings"

    /// A function that returns the settings of the running server as one JSON object per setting.
    let settings: @Sendable () -> [String]
    /// A function that reads the configuration file again and returns the result as attributes.
    let reload: @Sendable () async throws -> [Attribute]

    /// Creates a configuration with the given closures.
    public init(
        settings: @escaping @Sendable () -> [String],
        reload: @escaping @Sendable () async throws -> [Attribute]
    ) {
        (self.settings, self.reload) = (settings, reload)
    }

    /// A configuration without settings.
    ///
    /// A reload changes nothing.
    public static let none = ServerConfiguration(settings: { [] }, reload: { [] })
}

extension SpoolService {
    /// Reads the configuration file again, and returns the result as attributes.
    public func reloadConfiguration() async throws -> [Attribute] { try await configuration.reload() }
}
