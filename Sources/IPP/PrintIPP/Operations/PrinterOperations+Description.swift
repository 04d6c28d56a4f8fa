// The printer description (RFC 8011 §5.2, §5.4): the attributes of the printer, of the server, and of the imposition.

import IPP
import PrintModel

extension PrinterOperations {
    func shownPrinter(
        _ printer: ServedPrinter, _ exchange: Exchange, _ wanted: RequestedAttributes
    ) async -> AttributeGroup {
        let device =
            wanted.areAll(in: Self.namesOfLists.plain)
            ? []
            : printer.capabilities.templateAttributes(options: service.options) {
                wanted.wants($0, in: ["printer-description", "job-template"])
            }
        let isDescription = { (attribute: Attribute) in
            PrinterCapabilities.descriptionNames.contains(attribute.name)
        }
        var description = stateAttributes(printer, exchange)
        // A list of many printers usually requests only a few attributes, such as those of `lpstat` and cupsGetDests.
        if !wanted.areAll(in: Self.stateNames) { description += addressAttributes(printer, exchange) }
        if !wanted.areAll(in: Self.namesOfLists.all) { description += serverAttributes(printer, exchange) }
        description += device.filter(isDescription)
        if wanted.wants("queued-job-count", in: ["printer-description"]) {
            description.append(Attribute("queued-job-count", .integer(Int32(clamping: await printer.queuedJobs()))))
        }
        if PolicyList.attributeNames.contains(where: { wanted.wants($0, in: ["printer-description"]) }) {
            description += await policyAttributes(of: printer, exchange)
        }
        var template = device.filter { !isDescription($0) }
        if !wanted.areAll(in: Self.namesOfLists.withoutTemplate) {
            template += Self.impositionAttributes(service.options)
            func values(_ name: String) -> [Value] {
                (printer.extra.first { $0.name == name } ?? template.first { $0.name == name })?.values ?? []
            }
            template += FinishingTemplate.attributes(
                supported: values("finishings-supported"), usual: values("finishings-default"))
        }
        // Attributes that the printer reports replace the attributes that every printer has.
        let own = Set(printer.extra.map(\.name))
        return AttributeGroup(
            .printer,
            wanted.filter(description.filter { !own.contains($0.name) }, in: ["printer-description"])
                + wanted.filter(template.filter { !own.contains($0.name) }, in: ["job-template"])
                + wanted.filter(printer.extra.filter { $0.isOfJobTemplate }, in: ["job-template"])
                + wanted.filter(printer.extra.filter { !$0.isOfJobTemplate }, in: ["printer-description"]))
    }

    /// The names of the attributes that `stateAttributes` returns, and of others that need none of the other functions.
    private static let stateNames: Set<String> = [
        "printer-name", "printer-info", "printer-location", "printer-make-and-model", "printer-uuid",
        "printer-is-accepting-jobs", "printer-state", "printer-state-reasons", "printer-state-message",
        "printer-state-change-time", "printer-state-change-date-time", "printer-type", "printer-is-shared",
        "device-uri", "queued-job-count",
        // Clients of CUPS request these attributes, which the printer reports or no printer has.
        "auth-info-required", "marker-change-time", "marker-colors", "marker-high-levels", "marker-levels",
        "marker-low-levels", "marker-message", "marker-names", "marker-types", "printer-commands", "printer-defaults",
        "printer-is-temporary", "printer-mandatory-job-attributes",
    ]

    /// The names of the attributes that need only the state and the addresses of a printer; these names with those of
    /// media; and these names with those of `impositionAttributes`.
    static let namesOfLists = {
        let plain = stateNames.union(addressNames)
        let media = plain.union(PrinterCapabilities.mediaNames)
        let template = impositionAttributes(Set(PrintOption.all.map(\.name))).map(\.name)
        return (plain: plain, withoutTemplate: media, all: media.union(template))
    }()

    /// The names of the attributes that `addressAttributes` returns.
    private static let addressNames: Set<String> = [
        "printer-uri-supported", "uri-security-supported", "uri-authentication-supported",
        "oauth-authorization-server-uri",
    ]

    private func stateAttributes(_ printer: ServedPrinter, _ exchange: Exchange) -> [Attribute] {
        let now = clock()
        let configured = min(max(0, printer.configurationChangedAt ?? startedAt), now)
        let reasons = printer.status.reasons
        var attributes = [
            Attribute("printer-name", .name(printer.name)),
            Attribute("printer-info", .text(printer.info)),
            Attribute("printer-location", .text(printer.location)),
            Attribute("printer-make-and-model", .text(printer.capabilities.makeAndModel)),
            Attribute("printer-uuid", .uri(printer.uuid)),
            Attribute("printer-is-accepting-jobs", .boolean(printer.status.isAccepting)),
            Attribute("printer-state", .enumeration(Int32(printer.status.state.rawValue))),
            Attribute("printer-state-reasons", reasons.isEmpty ? [.keyword("none")] : reasons.map { .keyword($0) }),
            Attribute("printer-state-message", .text(printer.status.message)),
            Attribute("printer-state-change-time", .seconds(printer.stateChangedAt)),
            Attribute("printer-state-change-date-time", .moment(printer.stateChangedAt)),
            Attribute("printer-up-time", .seconds(now)),
            Attribute("printer-current-time", .moment(now)),
            Attribute("printer-type", .enumeration(printer.cupsType.rawValue)),
            Attribute("printer-is-shared", .boolean(printer.isShared)),
            Attribute("printer-config-change-time", .seconds(configured)),
            Attribute("printer-config-change-date-time", .moment(configured)),
            Attribute(
                "printer-geo-location", printer.geoLocation.isEmpty ? .outOfBand(.unknown) : .uri(printer.geoLocation)),
            Attribute("printer-organization", .text(printer.organization)),
            Attribute("printer-organizational-unit", .text(printer.organizationalUnit)),
        ]
        if let deviceURI = printer.deviceURI { attributes.append(Attribute("device-uri", .uri(deviceURI))) }
        return attributes + PrinterStatus.Alert.attributes(printer.status.alerts)
    }

    private func addressAttributes(_ printer: ServedPrinter, _ exchange: Exchange) -> [Attribute] {
        let asksForCredentials = exchange.isFromNetwork && !printer.admitsAnonymous
        let server = asksForCredentials ? authorizationServer() : nil
        var attributes = URISecurity.attributes(
            exchange.security,
            // Each URI has one keyword. Clients that do not know OAuth use the challenge for a password.
            authentication: server != nil ? "oauth" : asksForCredentials ? "basic" : "requesting-user-name"
        ) { exchange.target.printerURI(printer.name, scheme: $0) }
        if let server { attributes.append(Attribute("oauth-authorization-server-uri", .uri(server))) }
        return attributes
    }

    private func serverAttributes(_ printer: ServedPrinter, _ exchange: Exchange) -> [Attribute] {
        printer.webAttributes(exchange) + protocolAttributes(printer, exchange) + documentAttributes(printer)
            + notificationAttributes + privacyAttributes
    }

    /// The values of jobs that other users do not see.
    private var privacyAttributes: [Attribute] {
        guard !isOpen else { return [] }
        let privacy = jobPrivacy()
        return [
            Attribute("job-privacy-attributes", privacy.names.sorted().map { .keyword($0) }),
            Attribute("job-privacy-scope", .keyword(privacy.scope.rawValue)),
        ]
    }

    private func protocolAttributes(_ printer: ServedPrinter, _ exchange: Exchange) -> [Attribute] {
        let own = ServedPrinter.ownAttributes.filter { name in
            printer.extra.contains { $0.name == "\(name)-supported" }
        }
        let creation =
            PrintOption.onPrinters.map(\.name).filter(service.options.contains)
            + [
                "media-col", "job-name", "finishings-col", "print-content-optimize", "print-rendering-intent",
                "printer-resolution",
            ] + (service.options.contains("job-hold-until") ? ["job-hold-until-time"] : []) + own
            + (service.longestJobPassword > 0 ? Self.passwordAttributes : [])
        return [
            Attribute("charset-configured", .charset("utf-8")),
            Attribute("charset-supported", .charset("utf-8"), .charset("us-ascii")),
            Attribute("natural-language-configured", .naturalLanguage("en")),
            Attribute("generated-natural-language-supported", .naturalLanguage("en")),
            Attribute("ipp-versions-supported", .keyword("1.1"), .keyword("2.0"), .keyword("2.1")),
            Attribute(
                "ipp-features-supported",
                // IPP Everywhere requires icons and web pages, which only TCP clients can fetch.
                .keyword(printer.isEverywhere && printer.showsWebPages(exchange) ? "ipp-everywhere" : "none")),
            Attribute("operations-supported", operations.map { .enumeration(Int32($0.rawValue)) }),
            Attribute("pdl-override-supported", .keyword("attempted")),
            Attribute("compression-supported", Self.compressions.map { .keyword($0) }),
            Attribute("multiple-document-jobs-supported", .boolean(service.operations.contains(.sendDocument))),
            Attribute("reference-uri-schemes-supported", (references?.schemes ?? []).map { .uriScheme($0) }),
            Attribute("multiple-operation-time-out", .integer(300)),
            Attribute("multiple-operation-time-out-action", .keyword("abort-job")),
            Attribute("job-creation-attributes-supported", creation.map { .keyword($0) }),
            Attribute("job-ids-supported", .boolean(true)),
            Attribute("job-mandatory-attributes-supported", .boolean(true)),
            Attribute("preferred-attributes-supported", .boolean(false)),
            Attribute("printer-get-attributes-supported", .keyword("document-format")),
            Attribute(
                "which-jobs-supported",
                (["not-completed", "completed", "all"] + JobState.allCases.map(\.description)).unique.map {
                    .keyword($0)
                }),
            Attribute("job-settable-attributes-supported", settable.map { .keyword($0) }),
            Attribute("printer-settable-attributes-supported", service.settableAttributes.map { .keyword($0.name) }),
        ].filter { !$0.values.isEmpty }
    }

    private var settable: [String] {
        guard service.operations.contains(.setJobAttributes) else { return [] }
        return PrintOption.onPrinters.map(\.name).filter(service.options.contains) + ["job-name"]
    }

    private func documentAttributes(_ printer: ServedPrinter) -> [Attribute] {
        let formats = printer.formats.contains(.octetStream) ? printer.formats : printer.formats + [.octetStream]
        var attributes = [
            Attribute("document-format-supported", formats.map { .mimeMediaType($0.rawValue) }),
            Attribute("document-format-default", .mimeMediaType(DocumentFormat.octetStream.rawValue)),
            Attribute("document-format-preferred", .mimeMediaType(formats[0].rawValue)),
            Attribute("document-password-supported", .integer(Int32(service.longestDocumentPassword))),
        ]
        if service.longestJobPassword > 0 { attributes += Self.jobPasswordAttributes }
        if formats.contains(.pdf) {
            attributes.append(
                Attribute(
                    "pdf-versions-supported", ["iso-32000-1_2008", "adobe-1.7", "adobe-1.6"].map { .keyword($0) }))
            attributes.append(Attribute("pdf-k-octets-supported", .range(IntegerRange(lower: 0, upper: .max))))
        }
        return attributes
    }

    /// The attributes of jobs that wait for their password (PWG 5100.11-2024 §7.2).
    ///
    /// Clients such as iOS offer a PIN only if the printer has these attributes. iOS then shows the PIN only while the
    /// job has the reason `job-password-wait` (OpenPrinting/cups, issue 1456).
    private static let jobPasswordAttributes: [Attribute] = {
        let (lengths, digits) = (JobPassword.lengths, Value.keyword("iana_us-ascii_digits"))
        return [
            Attribute("job-password-supported", .integer(Int32(lengths.upperBound))),
            Attribute(
                "job-password-encryption-supported", JobPassword.Encryption.allCases.map { .keyword($0.rawValue) }),
            Attribute(
                "job-password-length-supported",
                .range(IntegerRange(lower: Int32(lengths.lowerBound), upper: Int32(lengths.upperBound)))),
            Attribute("job-password-repertoire-configured", digits),
            Attribute("job-password-repertoire-supported", digits),
        ]
    }()

    /// The spooler or the printer performs the imposition.
    private static func impositionAttributes(_ options: Set<String>) -> [Attribute] {
        var table = PrintOption.all.filter { options.contains($0.name) }.flatMap(\.printerAttributes)
        if options.contains("orientation-requested") {
            table.append(
                Attribute(
                    "landscape-orientation-requested-preferred", .enumeration(Int32(Orientation.landscape.rawValue))))
        }
        if options.contains("page-ranges") {
            table.append(
                Attribute("max-page-ranges-supported", .integer(Int32(clamping: JobTicket.mostPageRanges))))
        }
        if options.contains("job-hold-until") {
            table.append(Attribute("job-hold-until-time-supported", .range(IntegerRange(lower: 0, upper: .max))))
        }
        let finishings = [
            Attribute("finishings-supported", .enumeration(3)), Attribute("finishings-default", .enumeration(3)),
        ]
        let always =
            [
                Attribute(
                    "job-sheets-col-default",
                    .collection(IPP.Collection([Attribute("job-sheets", .keyword("none"))]))),
                Attribute("job-sheets-col-supported", .keyword("job-sheets")),
                // The keywords select documents and pages. No attribute can be overridden, so every override is
                // unsupported.
                Attribute("overrides-supported", .keyword("document-number"), .keyword("pages")),
            ]
            + ServedPrinter.usualValues.sorted { $0.key < $1.key }.flatMap { name, values in
                [Attribute("\(name)-supported", values), Attribute("\(name)-default", values)]
            }
        let sheets = ["job-sheets-supported", "job-sheets-default"].map { Attribute($0, .keyword("none")) }
        return table + (options.contains("finishings") ? [] : finishings)
            + (options.contains("job-sheets") ? [] : sheets) + always
    }
}

extension Attribute {
    /// Whether the attribute describes options of jobs (RFC 8011 §5.2).
    fileprivate var isOfJobTemplate: Bool {
        let suffix = ["-supported", "-default", "-ready", "-database"].first { name.hasSuffix($0) }
        return suffix.map { Self.jobTemplate.contains(String(name.dropLast($0.count))) } ?? false
    }

    private static let jobTemplate = Set(PrintOption.all.map(\.name)).union([
        "feed-orientation", "finishing-template", "finishings-col", "job-account-id", "job-accounting-user-id",
        "job-hold-until-time", "job-sheets", "job-sheets-col", "max-page-ranges", "media-bottom-margin", "media-col",
        "media-left-margin", "media-right-margin", "media-size", "media-top-margin", "overrides",
        "print-content-optimize", "print-rendering-intent", "printer-resolution",
    ])
}

extension ServedPrinter {
    /// Returns whether the client can open the server's web pages.
    ///
    /// Browsers cannot use a Unix socket.
    fileprivate func showsWebPages(_ exchange: Exchange) -> Bool {
        guard hasWebPages, case .tcp = exchange.request.peer else { return false }
        return true
    }

    /// Returns the attributes with the URIs of the printer's web pages and icons (PWG 5100.13 §5.6.6).
    fileprivate func webAttributes(_ exchange: Exchange) -> [Attribute] {
        let page = "\(exchange.target.webRoot)/printers/\(name)"
        let more = Attribute("printer-more-info", .uri(page))
        guard showsWebPages(exchange) else { return [more] }
        return [
            more, Attribute("printer-supply-info-uri", .uri("\(page)/supplies")),
            Attribute("printer-icons", Self.iconSizes.map { .uri("\(page)/icon-\($0).png") }),
        ]
    }

    /// The widths of a printer's icons in pixels.
    package static let iconSizes = [48, 128, 512]
}

extension PrintOption {
    /// The options that the attributes of a printer describe.
    ///
    /// These options apply to documents of any type. Options for the conversion of text are not included. The service
    /// still accepts text conversion options, because `lp` sends these options to any printer.
    fileprivate static let onPrinters = all.filter { $0.consumer != .conversion }

    /// The printer attributes of an option that the imposition or the queue applies: `NAME-supported`, `NAME-default`.
    fileprivate var printerAttributes: [Attribute] {
        guard let choices else { return [] }
        let supported: [Value] =
            switch choices {
            case .keywords(let words): words.map { .keyword($0) }
            case .numbers(let numbers): numbers.map { ippValue("\($0)") }
            case .upTo(let most): [.range(IntegerRange(lower: 0, upper: Int32(clamping: most)))]
            case .any: [.boolean(true)]
            }
        let usual: Value? =
            switch byDefault {
            case .text(let text): ippValue(text)
            case PrintOption.Default.none?: .outOfBand(.noValue)
            case nil: nil
            }
        return [Attribute("\(name)-supported", supported)] + (usual.map { [Attribute("\(name)-default", $0)] } ?? [])
    }
}
