// Writes the changes of a CUPS-Add-Modify-Printer request.

package import IPP
package import PrintModel

extension PrinterChange {
    /// The printer attributes of CUPS-Add-Modify-Printer, which `init(attributes:operation:)` reads.
    package var printerAttributes: [Attribute] {
        let texts = [
            ("printer-info", info), ("printer-location", location), ("printer-geo-location", geoLocation),
            ("printer-organization", organization), ("printer-organizational-unit", organizationalUnit),
            ("printer-state-message", pauseMessage), ("printq-device-password", devicePassword),
        ]
        let names = [
            ("printer-dns-sd-name", serviceName), ("printer-error-policy", errorPolicy?.rawValue),
            ("printq-device-user", deviceUser),
        ]
        let flags = [
            ("printer-is-accepting-jobs", isAccepting), ("printer-is-shared", isShared),
            ("printq-anonymous", admitsAnonymous), ("printq-trust-certificate", trustsCertificate),
        ]
        var attributes = deviceURI.map { [Attribute("device-uri", .uri($0))] } ?? []
        attributes += texts.compactMap { name, text in text.map { Attribute(name, .text($0)) } }
        attributes += names.compactMap { name, text in text.map { Attribute(name, .name($0)) } }
        attributes += flags.compactMap { name, flag in flag.map { Attribute(name, .boolean($0)) } }
        if let isPaused {
            let state: PrinterState = isPaused ? .stopped : .idle
            attributes.append(Attribute("printer-state", .enumeration(Int32(state.rawValue))))
        }
        if let afterInterruption { attributes.append(afterInterruption.attribute) }
        attributes += PolicyList.allCases.compactMap { list in policyLists[list].map { list.attribute($0) } }
        attributes += options.sorted { $0.key < $1.key }.map { Attribute("\($0.key)-default", .name($0.value)) }
        return attributes
    }

    /// The operation attributes of CUPS-Add-Modify-Printer that make the change depend on whether the printer exists.
    package var conditions: [Attribute] {
        let flags = [("printq-must-be-new", mustBeNew), ("printq-must-exist", mustExist)]
        return flags.compactMap { name, flag in flag ? Attribute(name, .boolean(true)) : nil }
    }
}
