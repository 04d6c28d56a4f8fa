// Keeps the descriptions of printers until a printer changes.

import PrintIPP
import PrintModel
import Synchronization

/// The descriptions of the printers in the last answers, with the values on which the descriptions depend.
///
/// A description contains about a hundred values. Between two lists, hardly any printer changes.
final class DescribedPrinters: Sendable {
    /// The values on which the description of a printer depends.
    struct Source: Equatable, Sendable {
        var row: ConfiguredPrinter
        /// The capabilities; nil if the printer has never responded.
        var capabilities: PrinterCapabilities?
        /// The status that the printer reported; nil if unknown.
        var device: PrinterStatus?
        /// The status that clients see.
        var status: PrinterStatus
        /// The name of the host that drives the printer; nil for none.
        var host: String?
        /// The number of changes of the publication of all printers.
        var sharingChanges: Int
    }

    /// A class, because a copy of the values costs more than a comparison.
    private final class Description: Sendable {
        let source: Source
        let printer: ServedPrinter

        init(of printer: ServedPrinter, from source: Source) { (self.printer, self.source) = (printer, source) }
    }

    private let kept = Mutex<[String: Description]>([:])

    /// Returns the stored description of a printer; nil if a value on which the description depends has changed.
    func printer(from source: Source, at now: UnixTime) -> ServedPrinter? {
        guard let known = kept.withLock({ $0[source.row.name] }), known.source == source else { return nil }
        // A time in the future means that the clock was set back. Such a time is replaced.
        let printer = known.printer
        guard printer.stateChangedAt <= now, printer.configurationChangedAt ?? now <= now else { return nil }
        return printer
    }

    /// Stores a description.
    func keep(_ printer: ServedPrinter, from source: Source) {
        let description = Description(of: printer, from: source)
        kept.withLock { $0[source.row.name] = description }
    }

    /// Removes the descriptions of all printers except the given printers.
    func keepOnly(_ names: Set<String>) {
        kept.withLock { kept in
            for name in kept.keys where !names.contains(name) { kept[name] = nil }
        }
    }
}
