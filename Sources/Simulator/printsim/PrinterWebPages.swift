// The printers' web pages and icons: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import IPPServer
import PrintIPP
import PrinterSimulator
import SimulatorServer

extension [SimulatedPrinter] {
    /// The page with the list of printers at `/`, and the pages of each printer.
    var webPages: [WebPage] {
        let list = WebPage(path: "/", type: "text/html; charset=utf-8") {
            for device in self where await !device.isSwitchedOff {
                return Array<UInt8>(await PrinterListPage(of: self).html.utf8)
            }
            return nil  // a printer that is switched off does not respond
        }
        return [list] + flatMap(\.webPages)
    }
}

extension SimulatedPrinter {
    /// The printer's pages and icons at `/printers/NAME`.
    ///
    /// A printer that is switched off does not respond.
    nonisolated var webPages: [WebPage] {
        let path = "/printers/\(description.name)"
        let pages = [path, "\(path)/supplies"].map { path in
            WebPage(path: path, type: "text/html; charset=utf-8") {
                await self.isSwitchedOff ? nil : Array(await PrinterPage(of: self).html.utf8)
            }
        }
        let icons = ServedPrinter.iconSizes.map { size in
            WebPage(path: "\(path)/icon-\(size).png", type: "image/png") {
                await self.isSwitchedOff ? nil : PrinterIcon(size: size).png
            }
        }
        return pages + icons
    }
}
