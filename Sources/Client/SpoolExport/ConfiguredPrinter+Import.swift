// Converts printers between IPP attributes and the document of `printq export`.

package import IPP
import PrintIPP
package import PrintModel
package import SpoolerClient

extension ConfiguredPrinter {
    /// The printer attributes to request for an export.
    package static let exportedNames =
        PrinterView.attributeNames + [
            "printer-location", "printer-geo-location", "printer-organization", "printer-organizational-unit",
            "printer-is-shared", "printq-dns-sd-name", "printq-anonymous", "printer-error-policy",
            "printq-after-interruption", "printq-default-options",
            "printq-pause-message",
        ]

    /// Creates a printer from the attributes that printd returned.
    ///
    /// - Throws: `SpoolerClientError` with `badAnswer` if printd returned no device URI.
    package init(exporting group: AttributeGroup) throws(SpoolerClientError) {
        let view = PrinterView(group)
        guard !view.deviceURI.isEmpty else {
            throw SpoolerClientError(
                .badAnswer, "printd returned no device URI for printer '\(view.name.printable)'; see 'printq doctor'")
        }
        // printd sends the name of a printer without a description.
        let info = group.string("printer-info") ?? ""
        var options: [String: String] = [:]
        for option in group.strings("printq-default-options") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { options[parts[0]] = parts[1] }
        }
        let isPaused = view.reasons.contains("paused") || view.reasons.contains("moving-to-paused")
        self.init(
            name: view.name, deviceURI: view.deviceURI, info: info == view.name ? "" : info,
            location: group.string("printer-location") ?? "", isDefault: view.isDefault, isPaused: isPaused,
            pauseMessage: isPaused ? group.string("printq-pause-message") ?? "" : "", isAccepting: view.isAccepting,
            errorPolicy: group.string("printer-error-policy").flatMap(ErrorPolicy.init) ?? .retryJob,
            afterInterruption: group.keywords("printq-after-interruption").first.flatMap(AfterInterruption.init)
                ?? .ask,
            options: options, policy: view.policy)
        geoLocation = group.string("printer-geo-location") ?? ""
        organization = group.string("printer-organization") ?? ""
        organizationalUnit = group.string("printer-organizational-unit") ?? ""
        isShared = group.boolean("printer-is-shared") ?? false
        serviceName = group.string("printq-dns-sd-name") ?? ""
        admitsAnonymous = group.boolean("printq-anonymous") ?? false
    }

    /// Returns the CUPS-Add-Modify-Printer attributes that create this printer, or that change an existing printer to
    /// match this printer.
    ///
    /// - Parameter old: The existing printer; nil to create a new printer. For an existing printer, the result contains
    ///   only the attributes that differ.
    package func attributes(replacing old: ConfiguredPrinter?) throws(SpoolerClientError) -> [Attribute] {
        let keys = old.map { differences(from: $0) }
        func isSent(_ names: String...) -> Bool { keys.map { !Set($0).isDisjoint(with: names) } ?? true }
        var attributes: [Attribute] = []
        if isSent("device-uri") { attributes.append(Attribute("device-uri", .uri(deviceURI))) }
        if isSent("info") { attributes.append(Attribute("printer-info", .text(info))) }
        if isSent("location") { attributes.append(Attribute("printer-location", .text(location))) }
        if isSent("geo-location") { attributes.append(Attribute("printer-geo-location", .text(geoLocation))) }
        if isSent("organization") { attributes.append(Attribute("printer-organization", .text(organization))) }
        if isSent("organizational-unit") {
            attributes.append(Attribute("printer-organizational-unit", .text(organizationalUnit)))
        }
        if isSent("shared") { attributes.append(Attribute("printer-is-shared", .boolean(isShared))) }
        if isSent("dns-sd-name") { attributes.append(Attribute("printer-dns-sd-name", .name(serviceName))) }
        if isSent("anonymous") { attributes.append(Attribute("printq-anonymous", .boolean(admitsAnonymous))) }
        if isSent("error-policy") { attributes.append(errorPolicy.attributes[0]) }
        if isSent("after-interruption") { attributes.append(afterInterruption.attribute) }
        if isSent("default-options") {
            let removed = (old?.options.keys).map { $0.filter { options[$0] == nil } } ?? []
            let wanted = options.map { OptionText(name: $0.key, value: $0.value) }
            let unset = removed.map { OptionText(name: $0, value: "") }
            attributes += try (unset + wanted).sorted { $0.name < $1.name }.printerDefaults(now: 0)
        }
        for list in PolicyList.allCases where isSent(list.exportKeys.allowed, list.exportKeys.denied) {
            // A new printer has the standard lists.
            let isNeeded = old != nil || !policy[list].isSame(as: list.standard) || list == .submitters
            if isNeeded { attributes.append(list.attribute(policy[list])) }
        }
        if isSent("accepting-jobs") { attributes.append(Attribute("printer-is-accepting-jobs", .boolean(isAccepting))) }
        if isSent("paused", "pause-message") {
            let state = isPaused ? PrinterState.stopped : .idle
            attributes.append(Attribute("printer-state", .enumeration(Int32(state.rawValue))))
            if isPaused { attributes.append(Attribute("printer-state-message", .text(pauseMessage))) }
        }
        return attributes
    }
}
