// Defines the values from which requests are generated.

import IPP

extension RequestMaker {
    /// Returns a valid request.
    static func honest(_ operation: IPP.Operation, at printer: String) -> Message {
        Message(
            version: .v2_0, operation: operation, requestID: 1, groups: [AttributeGroup(.operation, opening(printer))])
    }

    /// Returns the first attributes of every request.
    static func opening(_ printer: String) -> [Attribute] {
        [
            Attribute("attributes-charset", .charset("utf-8")),
            Attribute("attributes-natural-language", .naturalLanguage("en")),
            Attribute("printer-uri", .uri(printer)), Attribute("requesting-user-name", .name("ann")),
        ]
    }

    /// The operations of the standard, of CUPS and of printq; printers do not support all of them.
    ///
    /// Get-Notifications is requested without waiting, because there are no other events.
    static let operations: [IPP.Operation] =
        (Array(0x0002...0x0023) + Array(0x0038...0x003D) + [0x4001, 0x4002, 0x4005, 0x400D, 0x5053])
        .map { IPP.Operation(rawValue: $0) }

    /// Attributes that many operations support.
    static let extra: [Attribute] = [
        Attribute("job-id", .integer(1)), Attribute("document-format", .mimeMediaType("application/pdf")),
        Attribute("requested-attributes", .keyword("all"), .keyword("media-col-database")),
        Attribute("which-jobs", .keyword("all")), Attribute("limit", .integer(3)),
        Attribute("last-document", .boolean(true)), Attribute("notify-subscription-ids", .integer(1)),
        Attribute("notify-job-id", .integer(1)), Attribute("printq-control", .text("status")),
    ]

    /// Job template attributes.
    static let template: [Attribute] = [
        Attribute("copies", .integer(2)), Attribute("sides", .keyword("two-sided-long-edge")),
        Attribute("page-ranges", .range(IntegerRange(lower: 1, upper: 3))),
        Attribute(
            "media-col",
            .collection(
                IPP.Collection([
                    Attribute("media-type", .keyword("stationery")),
                    Attribute(
                        "media-size",
                        .collection(
                            IPP.Collection([
                                Attribute("x-dimension", .integer(21000)), Attribute("y-dimension", .integer(29700)),
                            ]))),
                ]))),
    ]

    /// Valid attribute values, by name.
    static let honestValues: [String: [Value]] = {
        let more: [Attribute] = [
            Attribute("media", .keyword("na_letter_8.5x11in")), Attribute("output-bin", .keyword("face-down")),
            Attribute("job-hold-until", .keyword("indefinite")), Attribute("finishings", .enumeration(60)),
            Attribute("orientation-requested", .enumeration(4)), Attribute("print-quality", .enumeration(5)),
            Attribute("notify-events", .keyword("job-completed"), .keyword("printer-state-changed")),
            Attribute("notify-pull-method", .keyword("ippget")), Attribute("printer-location", .text("Room 3")),
            Attribute("identify-actions", .keyword("display")), Attribute("job-ids", .integer(1), .integer(2)),
            Attribute("compression", .keyword("none")), Attribute("ipp-attribute-fidelity", .boolean(true)),
        ]
        return Dictionary(uniqueKeysWithValues: (extra + template + more).map { ($0.name, $0.values) })
    }()

    static let uris = [
        "ipp://localhost/ipp/print/laser", "ipp://localhost/ipp/print/roll", "ipp://localhost/ipp/print/laser",
        "ipp://localhost/ipp/print/laser", "ipp://localhost/ipp/print/roll", "ipp://localhost/ipp/print/laser",
        "ipp://localhost/ipp/print/laser", "ipp://localhost/ipp/print/roll", "ipp://localhost/ipp/print",
        "ipp://localhost/ipp/print/laser/jobs/1", "ipp://localhost/jobs/1", "ipp://localhost/ipp/print/none",
        "ipp://localhost/", "http://[::1", "ipp:", "", "ipp://localhost/ipp/print/laser/jobs/99999999999999999999",
        "ipp://localhost/ipp/print/%2e%2e/%00", "mailto:ann@example.com",
    ]

    static let words = [
        "all", "none", "none", "one-sided", "two-sided-long-edge", "iso_a4_210x297mm", "na_letter_8.5x11in",
        "custom_max_1000000x1000000mm", "custom_x_0x0mm", "roll_x_100x-5mm", "stationery", "auto", "tray-1", "tray-2",
        "monochrome", "no-hold", "indefinite", "day-time", "completed", "not-completed", "printer-description",
        "job-template", "media-col-database", "application/pdf", "image/urf", "application/octet-stream", "gzip",
        "utf-8", "us-ascii", "en", "", " ", "\u{0}", "ö", "../../etc/passwd", "ippget", "printer-state-changed",
        "job-completed", "single-document", "separate-documents-collated-copies", "status", "load", "level", "clear",
        String(repeating: "x", count: 300), String(repeating: "9", count: 40),
    ]

    static let numbers: [Int32] = [
        0, 1, 2, 3, 4, 5, 7, -1, 60, 62, 63, 99, 100, 101, 300, 600, 20000, 21000, 29700, 65535, 65536, 1_000_000,
        .max, .min, .max - 1,
    ]

    static let names = [
        "job-id", "job-ids", "job-uri", "printer-uri", "job-name", "copies", "sides", "media", "media-col",
        "media-size", "x-dimension", "y-dimension", "media-type", "media-source", "media-top-margin",
        "media-left-margin", "page-ranges", "number-up", "print-quality", "print-color-mode", "printer-resolution",
        "orientation-requested", "output-bin", "finishings", "finishings-col", "job-hold-until",
        "job-hold-until-time", "job-priority", "multiple-document-handling", "document-format", "document-name",
        "document-number", "compression", "last-document", "requested-attributes", "which-jobs", "my-jobs", "limit",
        "first-index", "ipp-attribute-fidelity", "job-mandatory-attributes", "requesting-user-name", "message",
        "notify-subscription-ids", "notify-sequence-numbers", "notify-events", "notify-pull-method",
        "notify-lease-duration", "notify-job-id", "notify-subscription-id", "notify-attributes", "notify-user-data",
        "identify-actions", "printer-info", "printer-location", "printer-geo-location", "printer-name",
        "printq-submission-id", "printq-document-number", "printq-resume-from", "printq-after", "printq-control",
        "job-printer-uri",
        "print-scaling", "job-sheets", "overrides", "x", "",
    ]
}
