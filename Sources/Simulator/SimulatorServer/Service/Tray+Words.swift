// Describes the contents of a tray.

import PrintModel
import PrinterSimulator

extension SimulatedPrinterDescription.Tray {
    /// The description of the loaded paper, such as `A4, stationery` or `roll, 62 mm wide`.
    ///
    /// For a tray that supplies every size, the description is `any`.
    var paper: String {
        let size = rollWidth.map { "roll, \($0.millimeters) mm wide" } ?? media?.localizedName ?? "any"
        return type.map { "\(size), \($0)" } ?? size
    }

    /// The description of the amount of paper, such as `50 of 250`, `20000 of 30000 mm` or `endless`.
    var filling: String { loaded.map { "\($0) of \(capacity)\(rollWidth == nil ? "" : " mm")" } ?? "endless" }

    /// The description of the tray in one line, such as `tray-1: A4, stationery, 50 of 250`.
    var contents: String { "\(name): \(paper), \(filling)" }
}
