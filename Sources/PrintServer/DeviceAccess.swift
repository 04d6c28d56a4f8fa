// Who we are at printers, and whom we trust to be them.

public import PrintModel

/// Keeps logins at printers, and accepts their certificates; where, the program says.
public struct DeviceAccess: Sendable {
    /// Does what a change asks for, or nothing of it.
    let change: @Sendable (Printer, PrinterChange) throws -> Void
    /// Forgets what is kept about a printer of that name.
    let forget: @Sendable (String) -> Void

    /// What to do for a change, and when a printer is removed.
    public init(
        change: @escaping @Sendable (Printer, PrinterChange) throws -> Void,
        forget: @escaping @Sendable (String) -> Void
    ) {
        self.change = change
        self.forget = forget
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
