// What a browser sees of the queue's printers: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import IPPServer
import PrintIPP
import PrintServer

extension SpoolService {
    /// The pages and pictures of every printer, at `/printers/NAME`; printers come and go, the pages stay.
    var webPages: [WebPage] {
        let pages = ["/printers/:name", "/printers/:name/supplies"].map { path in
            WebPage(path: path, type: "text/html; charset=utf-8") { name in
                await QueuePage(of: name, in: self).map { Array($0.html.utf8) }
            }
        }
        let icons = ServedPrinter.iconSizes.map { size in
            WebPage(path: "/printers/:name/icon-\(size).png", type: "image/png") { name in
                await QueuePage(of: name, in: self).map { _ in PrinterIcon(size: size).png }
            }
        }
        return pages + icons
    }
}
