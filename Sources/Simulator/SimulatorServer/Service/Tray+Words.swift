// Describes the contents of a tray.

import PrintModel
import PrinterSimulator

extension SimulatedPrinterDescription.Tray {
    /// The loaded paper: `A4, stationery`; `roll, 62 mm wide`; `any` for a tray that supplies every size.
    var paper: String {
        let size = rollWidth.map { "roll, \($0.millimeters) mm wide" } ?? media?.localizedName ?? "any"
        return type.map { "\(size), \($0)" } ?? size
    }

    /// The amount of paper: `50 of 250`, `20000 of 30000 mm`, `endless`.
    var filling: String { loaded.map { "\($0) of \(capacity)\(rollWidth == nil ? "" : " mm")" } ?? "endless" }

    /// The tray in one line: `tray-1: A4, stationery, 50 of 250`.
    var contents: String { "\(name): \(paper), \(filling)" }
}
