// What a simulated printer says of itself by DNS-SD.

import PrintIPP
package import PrinterSimulator
package import ServiceDiscovery

extension SimulatedPrinter {
    /// How it is published now; nil while it is switched off.
    ///
    /// - Parameters:
    ///   - port: the TCP port at which it is served.
    ///   - tls: the latest version of TLS there; nil for none.
    package func advertisement(port: Int, tls: String? = nil) -> PrinterAdvertisement? {
        guard !isSwitchedOff else { return nil }
        let settings = status.settings
        let path = "/printers/\(description.name)"
        var advertisement = PrinterAdvertisement(
            name: settings["printer-dns-sd-name"] ?? settings["printer-info"] ?? description.info,
            path: "ipp/print/\(description.name)", port: port,
            uuid: ServedPrinter.stableUUID(of: description.name, in: outputFolder),
            capabilities: description.capabilities)
        advertisement.location = settings["printer-location"] ?? description.location
        advertisement.kinds = description.kinds
        advertisement.rasterKeywords = description.formats.contains(.urf) ? description.urfKeywords : []
        advertisement.webPath = path
        advertisement.tls = tls
        return advertisement
    }
}
