// The DNS-SD advertisement of a simulated printer.

package import PrintIPP
package import PrinterSimulator
package import ServiceDiscovery

extension SimulatedPrinter {
    /// Returns the current DNS-SD advertisement; nil while the printer is switched off.
    ///
    /// - Parameters:
    ///   - port: The TCP port of the server.
    ///   - security: The security protocols of the port (IPP `uri-security-supported`).
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
