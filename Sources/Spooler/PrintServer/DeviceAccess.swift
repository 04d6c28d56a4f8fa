// Stores credentials for printers and trusted certificates.

public import PrintModel

/// A store of credentials for printers and of trusted certificates.
///
/// The closures of the program define the storage.
public struct DeviceAccess: Sendable {
    /// A query of a device before a printer is added or changed.
    ///
    /// The results of the query, such as a certificate, are stored separately until the change succeeds.
    public struct Trial: Sendable {
        let begin: @Sendable (String) -> Void
        let backend: @Sendable (ConfiguredPrinter) throws -> any PrinterBackend
        let end: @Sendable (String, Bool) -> Void

        /// Creates a trial.
        ///
        /// - Parameters:
        ///   - begin: Starts a trial for the printer with the given name.
        ///   - backend: Returns the backend for the trial.
        ///   - end: Ends the trial for the printer with the given name. The second argument is whether to keep the
        ///     results.
        public init(
            begin: @escaping @Sendable (String) -> Void,
            backend: @escaping @Sendable (ConfiguredPrinter) throws -> any PrinterBackend,
            end: @escaping @Sendable (String, Bool) -> Void
        ) {
            self.begin = begin
            self.backend = backend
            self.end = end
        }
    }

    /// The closure that applies the access settings of a change completely, or throws without any effect.
    let change: @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void
    /// The closure that deletes the stored data of the printer with the given name.
    let forget: @Sendable (String) -> Void
    /// The trial for querying devices.
    ///
    /// With nil, the backend that prints the jobs also queries the device.
    let trial: Trial?

    /// Creates the access settings.
    ///
    /// - Parameters:
    ///   - change: Applies the access settings of a change.
    ///   - forget: Deletes the stored data of a removed printer.
    ///   - trial: Queries devices before a change.
    public init(
        change: @escaping @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void,
        forget: @escaping @Sendable (String) -> Void, trial: Trial? = nil
    ) {
        self.change = change
        self.forget = forget
        self.trial = trial
    }

    /// A storage that stores nothing.
    public static let none = DeviceAccess(
        change: { printer, _ in throw BackendError(.refused, "cannot store credentials for \(printer.name)") },
        forget: { _ in })
}

extension PrinterChange {
    /// Whether the change contains credentials or trusts a certificate.
    var concernsAccess: Bool { deviceUser != nil || devicePassword != nil || trustsCertificate == true }
}
