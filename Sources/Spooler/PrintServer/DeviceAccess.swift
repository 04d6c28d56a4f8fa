// Who we are at printers, and whom we trust to be them.

public import PrintModel

/// Keeps logins at printers, and accepts their certificates; where, the program says.
public struct DeviceAccess: Sendable {
    /// A look at a device that a printer is to have: what is learned of it is kept apart until that is so.
    public struct Trial: Sendable {
        let begin: @Sendable (String) -> Void
        let backend: @Sendable (ConfiguredPrinter) throws -> any PrinterBackend
        let end: @Sendable (String, Bool) -> Void

        /// How a look begins, which way it takes, and how it ends; the second word says whether what was learned is kept.
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

    /// Does what a change asks for, or nothing of it.
    let change: @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void
    /// Forgets what is kept about a printer of that name.
    let forget: @Sendable (String) -> Void
    /// How printers are looked at; nil looks by the way that their jobs take.
    let trial: Trial?

    /// What to do for a change, when a printer is removed, and when one is looked at.
    public init(
        change: @escaping @Sendable (ConfiguredPrinter, PrinterChange) throws -> Void,
        forget: @escaping @Sendable (String) -> Void, trial: Trial? = nil
    ) {
        self.change = change
        self.forget = forget
        self.trial = trial
    }

    /// Nothing is kept.
    public static let none = DeviceAccess(
        change: { printer, _ in throw BackendError(.refused, "no login is kept for \(printer.name) here") },
        forget: { _ in })
}

extension PrinterChange {
    /// Whether it is about a login or a certificate.
    var concernsAccess: Bool { deviceUser != nil || devicePassword != nil || trustsCertificate == true }
}
