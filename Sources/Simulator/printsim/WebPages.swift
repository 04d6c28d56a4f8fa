// What a browser sees of the printers: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import IPPServer
import PrintIPP
import PrinterSimulator
import SimulatorServer

extension [SimulatedPrinter] {
    /// The page of all of them at `/`, and the pages of each.
    var webPages: [WebPage] {
        let list = WebPage(path: "/", type: "text/html; charset=utf-8") {
            for device in self where await !device.isSwitchedOff {
                return Array<UInt8>(await PrinterListPage(of: self).html.utf8)
            }
            return nil  // without power they answer nobody
        }
        return [list] + flatMap(\.webPages)
    }
}

extension SimulatedPrinter {
    /// The printer's pages and pictures, at `/printers/NAME`; without power it answers nobody.
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
