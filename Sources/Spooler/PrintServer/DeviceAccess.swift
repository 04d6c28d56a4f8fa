// The credentials for printers, and the certificates of printers.

public import PrintModel

/// The functions that store credentials for printers and accept their certificates.
///
/// The program decides where.
public struct DeviceAccess: Sendable {
    /// A temporary access to a device that is checked before it is configured.
    ///
    /// What it learns, such as a certificate, is stored separately until then.
    public struct Trial: Sendable {
        let begin: @Sendable (String) -> Void
        let backend: @Sendable (ConfiguredPrinter) throws -> any PrinterBackend
        let end: @Sendable (String, Bool) -> Void

        /// Creates a trial from functions that begin it, return its backend and end it.
        ///
        /// The second argument of `end` tells whether the result is kept.
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

    /// Applies a change completely, or throws.
    let change: @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void
    /// Removes what is stored about a printer.
    let forget: @Sendable (String) -> Void
    /// The trial access to devices; nil uses the access for jobs.
    let trial: Trial?

    /// Creates an access from functions that apply a change, remove a printer's data and check a device.
    public init(
        change: @escaping @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void,
        forget: @escaping @Sendable (String) -> Void, trial: Trial? = nil
    ) {
        self.change = change
        self.forget = forget
        self.trial = trial
    }

    /// An access that stores nothing.
    public static let none = DeviceAccess(
        change: { printer, _ in throw BackendError(.refused, "no login is kept for \(printer.name) here") },
        forget: { _ in })
}

extension PrinterChange {
    /// Whether the change concerns credentials or a certificate.
    var concernsAccess: Bool { deviceUser != nil || devicePassword != nil || trustsCertificate == true }
}
