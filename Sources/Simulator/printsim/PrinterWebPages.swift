// The printers' web pages and icons: `printer-more-info`, `printer-supply-info-uri`, `printer-icons`.

import IPPServer
import PrintIPP
import PrinterSimulator
import SimulatorServer

extension [SimulatedPrinter] {
    /// The web page with the list of printers, for clients without a session.
    var listPage: [UInt8] { get async { Array<UInt8>(await listPageHTML.utf8) } }

    /// Returns the web page of a printer; nil if the printer does not exist.
    func page(of name: String) async -> [UInt8]? {
        guard let device = named(name) else { return nil }
        return Array<UInt8>(await device.pageHTML.utf8)
    }

    /// Returns whether the named printer is switched off.
    ///
    /// Without a name, the function returns whether every printer is switched off.
    func isSilent(_ name: String?) async -> Bool {
        let asked = name.map { [named($0)].compactMap(\.self) } ?? self
        for device in asked where await !device.isSwitchedOff { return false }
        return !asked.isEmpty
    }

    /// The supply pages and the icons of all printers, at `/printers/NAME/…`.
    ///
    /// A printer that is switched off does not respond. The Print Center serves the main page of each printer.
    var webPages: [WebPage] {
        let supplies = WebPage(path: "/printers/:name/supplies", type: "text/html; charset=utf-8") { name in
            await reply(name) { await page(of: name) }
        }
        let icons = ServedPrinter.iconSizes.map { size in
            WebPage(path: "/printers/:name/icon-\(size).png", type: "image/png") { name in
                await reply(name) { named(name).map { _ in PrinterIcon(size: size).png } }
            }
        }
        return [supplies] + icons
    }

    private func reply(_ name: String, _ page: () async -> [UInt8]?) async -> WebPage.Reply {
        if await isSilent(name) { return .silence }
        return await page().map { .page($0) } ?? .missing
    }

    private func named(_ name: String) -> SimulatedPrinter? { first { $0.description.name == name } }
}
