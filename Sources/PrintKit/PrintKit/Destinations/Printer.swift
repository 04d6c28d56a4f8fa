// A printer to which an app can print.

public import FoundationEssentials

/// A printer and the destination that prints to the printer (`UIPrinter`).
///
///     var printer = Printer.file("report.pdf")
///     if await printer.contactPrinter(), printer.supportsDuplex { … }
public struct Printer: Sendable, Identifiable {
    /// The setting of UIKit's name `UIPrinter.CutterBehavior`.
    public typealias CutterBehavior = PrintKit.CutterBehavior

    /// The identifier of the printer, as used in `PrintInfo.printerID`.
    public let id: String
    /// The address of the printer: a URI such as `ipp://localhost:8631/printers/color-laser`, or a file URL.
    public let url: URL
    /// The name that is shown to people.
    public var displayName: String
    /// The location of the printer as text.
    ///
    /// The value is `nil` if the printer does not report a location.
    public var displayLocation: String?
    /// The capabilities of the printer.
    ///
    /// The value is `nil` until the app has contacted the printer.
    public var capabilities: PrinterCapabilities?
    /// The connection that submits jobs, for example the queue or a folder.
    public let destination: any PrintDestination

    /// Creates a printer of a destination.
    public init(
        id: String, url: URL, displayName: String, displayLocation: String? = nil,
        capabilities: PrinterCapabilities? = nil, destination: any PrintDestination
    ) {
        (self.id, self.url, self.displayName) = (id, url, displayName)
        (self.displayLocation, self.capabilities) = (displayLocation, capabilities)
        self.destination = destination
    }

    /// The make and model of the printer.
    ///
    /// The value is `nil` until the app has contacted the printer.
    public var makeAndModel: String? { capabilities?.makeAndModel }

    /// Whether the printer can print in color.
    ///
    /// The value is false until the app has contacted the printer.
    public var supportsColor: Bool { capabilities?.colorModes.contains(.color) ?? false }

    /// Whether the printer can print on both sides of a sheet.
    ///
    /// The value is false until the app has contacted the printer.
    public var supportsDuplex: Bool { capabilities?.duplexModes.contains { $0 != .none } ?? false }

    /// Requests the capabilities of the printer.
    ///
    /// Returns false if the printer does not respond.
    public mutating func contactPrinter() async -> Bool {
        guard let capabilities = try? await destination.capabilities(of: self) else { return false }
        self.capabilities = capabilities
        return true
    }

    /// If the capabilities are unknown, the method requests the capabilities from the printer.
    func contacted() async throws(PrintError) -> Printer {
        guard capabilities == nil else { return self }
        var printer = self
        do {
            printer.capabilities = try await destination.capabilities(of: self)
        } catch {
            throw PrintError(error, while: "reading the capabilities of the printer '\(displayName)'")
        }
        return printer
    }
}
