// Connects the web pages with the service: the logins of the Print Center, and the pages of the printers: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`, PPD files.

import IPPServer
import PrintCenter
import PrintIPP
import PrintServer

extension SpoolService {
    /// The logins of users on the network, for the Print Center.
    var centerLogins: NetworkLogins {
        NetworkLogins {
            try await authenticate($0, from: $1)
        } isCurrent: {
            try await isCurrent($0)
        } record: {
            record($0)
        }
    }

    /// Returns the web page of a printer as HTML; nil if the printer does not exist.
    ///
    /// Every user may view the page.
    func printerPage(_ name: String) async -> [UInt8]? {
        await QueuePage(of: name, in: self).map { Array($0.html.utf8) }
    }

    /// The supply pages, the icons and the PPD files of all printers, at `/printers/NAME/…`.
    ///
    /// The list of paths does not depend on the configured printers.
    var webPages: [WebPage] {
        let pages = [
            WebPage(path: "/printers/:name/supplies", type: "text/html; charset=utf-8") { await printerPage($0) }
        ]
        let icons = ServedPrinter.iconSizes.map { size in
            WebPage(path: "/printers/:name/icon-\(size).png", type: "image/png") { name in
                await QueuePage(of: name, in: self).map { _ in PrinterIcon(size: size).png }
            }
        }
        // libcups (cupsGetPPD) and GTK request this path.
        let descriptions = WebPage(path: "/printers/:name.ppd", type: "application/vnd.cups-ppd") { name in
            // Programs keep the file, so a printer that has not responded yet gets a short time.
            _ = try? await destination(named: name, waits: true)
            return try? await PPDFile(of: printer(named: name)).text.utf8.map { $0 }
        }
        return pages + icons + [descriptions]
    }
}
