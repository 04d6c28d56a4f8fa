// What a simulated printer says of itself by DNS-SD.

package import PrintIPP
package import PrinterSimulator
package import ServiceDiscovery

extension SimulatedPrinter {
    /// How it is published now; nil while it is switched off.
    ///
    /// - Parameters:
    ///   - port: the TCP port at which it is served.
    ///   - security: how connections to it may be secured.
    package func advertisement(port: Int, security: [URISecurity] = [.none]) -> PrinterAdvertisement? {
        guard !isSwitchedOff else { return nil }
        let status = status
        let settings = status.settings
        let path = "/printers/\(description.name)"
        var advertisement = PrinterAdvertisement(
            name: settings["printer-dns-sd-name"] ?? settings["printer-info"] ?? description.info,
            path: "ipp/print/\(description.name)", port: port,
            uuid: status.uuid,
            capabilities: description.capabilities)
        advertisement.location = settings["printer-location"] ?? description.location
        advertisement.kinds = description.kinds
        advertisement.rasterKeywords = description.formats.contains(.urf) ? description.urfKeywords : []
        advertisement.webPath = path
        advertisement.isPlain = security.contains(.none)
        advertisement.tls = security.contains(.tls) ? "1.3" : nil
        return advertisement
    }
}
