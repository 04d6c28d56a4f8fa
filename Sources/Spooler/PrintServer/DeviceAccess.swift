// Stores credentials for printers and trusted certificates.

public import PrintModel

/// A store for printer credentials and trusted certificates.
///
/// The program passes closures that implement the store.
public struct DeviceAccess: Sendable {
    /// The closures for querying a device before a printer is added or changed.
    ///
    /// The results of the query, such as a certificate, are stored separately until the change succeeds.
    public struct Trial: Sendable {
        let begin: @Sendable (String) -> Void
        let backend: @Sendable (ConfiguredPrinter) throws -> any PrinterBackend
        let end: @Sendable (String, Bool) -> Void

        /// Creates a trial, which queries a device before a printer is added or changed.
        ///
        /// - Parameters:
        ///   - begin: A closure that starts a trial for the printer with the given name.
        ///   - backend: A closure that returns the backend for the trial.
        ///   - end: A closure that ends the trial for the printer with the given name. The second argument is true if
        ///     the results must be kept.
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

    /// The closure that stores the credentials and the accepted certificate when a printer is changed.
    ///
    /// If the closure throws an error, nothing has changed.
    let change: @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void
    /// The closure that deletes the stored data of the printer with the given name.
    let forget: @Sendable (String) -> Void
    /// The closures for querying a device before a printer is added or changed.
    ///
    /// If the value is nil, the backend that prints the jobs also queries the device.
    let trial: Trial?

    /// Creates a store with the given closures.
    ///
    /// - Parameters:
    ///   - change: A closure that stores the credentials and the accepted certificate when a printer is changed.
    ///   - forget: A closure that deletes the stored data of a removed printer.
    ///   - trial: The closures for querying a device before a change. If the value is nil, the backend that prints the
    ///     jobs also queries the device.
    public init(
        change: @escaping @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void,
        forget: @escaping @Sendable (String) -> Void, trial: Trial? = nil
    ) {
        self.change = change
        self.forget = forget
        self.trial = trial
    }

    /// A store that rejects credentials and stores nothing.
    public static let none = DeviceAccess(
        change: { printer, _ in throw BackendError(.refused, "cannot store credentials for \(printer.name)") },
        forget: { _ in })
}

extension PrinterChange {
    /// Whether the change contains credentials or accepts a certificate.
    var concernsAccess: Bool { deviceUser != nil || devicePassword != nil || trustsCertificate == true }
}
