// A printer that an app can print to.

public import FoundationEssentials

/// A printer, and the way to it (`UIPrinter`).
///
///     var printer = Printer.file("report.pdf")
///     if await printer.contactPrinter(), printer.supportsDuplex { … }
public struct Printer: Sendable, Identifiable {
    /// What `PrintInfo.printerID` names it by.
    public let id: String
    /// Where it is: a URI such as `ipp://localhost:8631/printers/color-laser`, or a file's.
    public let url: URL
    /// What people call it.
    public var displayName: String
    /// Where it stands, in words; nil when it does not say.
    public var displayLocation: String?
    /// What it can do, once it has been asked.
    public var capabilities: PrinterCapabilities?
    /// The way to it.
    public let destination: any PrintDestination

    /// A printer of a destination.
    public init(
        id: String, url: URL, displayName: String, displayLocation: String? = nil,
        capabilities: PrinterCapabilities? = nil, destination: any PrintDestination
    ) {
        (self.id, self.url, self.displayName) = (id, url, displayName)
        (self.displayLocation, self.capabilities) = (displayLocation, capabilities)
        self.destination = destination
    }

    /// Its make and model; nil until it has been asked.
    public var makeAndModel: String? { capabilities?.makeAndModel }

    /// Whether it prints in colour; false until it has been asked.
    public var supportsColor: Bool { capabilities?.colorModes.contains(.color) ?? false }

    /// Whether it prints on both sides; false until it has been asked.
    public var supportsDuplex: Bool { capabilities?.duplexModes.contains { $0 != .none } ?? false }

    /// Asks the printer what it can do; false when it does not answer.
    public mutating func contactPrinter() async -> Bool {
        guard let capabilities = try? await destination.capabilities(of: self) else { return false }
        self.capabilities = capabilities
        return true
    }

    /// The same printer with its capabilities, which it is asked for unless they are known.
    func contacted() async throws(PrintError) -> Printer {
        guard capabilities == nil else { return self }
        var printer = self
        do {
            printer.capabilities = try await destination.capabilities(of: self)
        } catch {
            throw PrintError(error, while: "asking the printer '\(displayName)' what it can do")
        }
        return printer
    }
}
