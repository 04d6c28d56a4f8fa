// Creates the web pages of the printers: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import IPPServer
import PrintIPP
import PrintServer

extension SpoolService {
    /// The pages and icons of all printers, at `/printers/NAME`.
    ///
    /// The list does not depend on the current printers.
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
