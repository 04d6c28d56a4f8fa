// What a browser sees of the printers: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import IPPServer
import PrintIPP
import PrinterSimulator
import SimulatorServer

/// The pages of some printers, at `/printers/NAME`.
struct WebPages {
    let printers: [SimulatedPrinter]

    /// Adds the pages to a server's routes.
    func add(to router: Router<IPPRequestContext>) {
        for printer in printers {
            let path = "/printers/\(printer.description.name)"
            for page in [path, "\(path)/supplies"] {
                router.get(RouterPath(page)) { _, _ in
                    Self.response(Array(await PrinterPage(of: printer).html.utf8), "text/html; charset=utf-8")
                }
            }
            for size in ServedPrinter.iconSizes {
                router.get(RouterPath("\(path)/icon-\(size).png")) { _, _ in
                    Self.response(PrinterIcon(size: size).png, "image/png")
                }
            }
        }
    }

    private static func response(_ bytes: [UInt8], _ type: String) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        // The pages have nothing but themselves.
        if let name = HTTPField.Name("Content-Security-Policy") {
            headers[name] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
