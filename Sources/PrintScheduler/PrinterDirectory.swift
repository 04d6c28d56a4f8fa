// The way to each printer, and what it last said of itself.

public import PrintModel
import PrintSpool

/// Finds the way to each printer of the queue, and remembers what the printer last said.
///
/// Asking a printer what it can do takes a moment, and a printer that is off cannot be asked at all; a submission should
/// not wait for either.
public actor PrinterDirectory {
    /// Makes the way to a printer from its row.
    public typealias MakeBackend = @Sendable (Printer) throws -> any PrinterBackend

    private let make: MakeBackend
    private let clock: @Sendable () -> UnixTime
    private var entries: [String: Entry] = [:]

    private struct Entry {
        var deviceURI: String
        var backend: any PrinterBackend
        var capabilities: PrinterCapabilities?
        var askedAt: UnixTime = -.infinity
        var wasAsked = false
        var status: PrinterStatus?
        var statusAt: UnixTime = -.infinity
    }

    /// How long an answer about capabilities holds, in seconds.
    private static let capabilitiesHold = 60.0
    /// How long an answer about the state holds, in seconds.
    private static let statusHold = 1.0

    /// A directory that makes backends with `make`.
    public init(clock: @escaping @Sendable () -> UnixTime, make: @escaping MakeBackend) {
        self.make = make
        self.clock = clock
    }

    /// The way to a printer.
    ///
    /// - Throws: what `make` throws for a device URI that nothing can reach.
    public func backend(for printer: Printer) throws -> any PrinterBackend { try entry(for: printer).backend }

    /// What a printer can do: asked anew once a minute; while it is silent, what it said last.
    ///
    /// - Throws: `BackendError` when the printer has never answered and does not now.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        let known = try entry(for: printer)
        if let capabilities = known.capabilities, clock() - known.askedAt < Self.capabilitiesHold {
            return capabilities
        }
        do {
            let capabilities = try await known.backend.capabilities()
            update(printer) {
                $0.wasAsked = true
                $0.capabilities = capabilities
                $0.askedAt = clock()
            }
            return capabilities
        } catch {
            update(printer) { $0.wasAsked = true }
            if let capabilities = known.capabilities { return capabilities }
            throw error
        }
    }

    /// What a printer last said that it can do; only one that was never asked is asked now. Nil when it has not answered.
    public func knownCapabilities(of printer: Printer) async -> PrinterCapabilities? {
        guard let known = try? entry(for: printer) else { return nil }
        return known.wasAsked ? known.capabilities : try? await capabilities(of: printer)
    }

    /// How a printer is, asked at most once a second; nil while it cannot be reached.
    public func status(of printer: Printer) async -> PrinterStatus? {
        guard let known = try? entry(for: printer) else { return nil }
        if clock() - known.statusAt < Self.statusHold { return known.status }
        let status = try? await known.backend.status()
        update(printer) {
            $0.status = status
            $0.statusAt = clock()
        }
        return status
    }

    private func update(_ printer: Printer, _ change: (inout Entry) -> Void) {
        // The printer may have been given another device while we asked.
        guard var entry = entries[printer.name], entry.deviceURI == printer.deviceURI else { return }
        change(&entry)
        entries[printer.name] = entry
    }

    private func entry(for printer: Printer) throws -> Entry {
        if let entry = entries[printer.name], entry.deviceURI == printer.deviceURI { return entry }
        let entry = Entry(deviceURI: printer.deviceURI, backend: try make(printer))
        entries[printer.name] = entry
        return entry
    }
}
