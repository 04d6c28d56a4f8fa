// Lists the attributes that a client may send with a job, and what printq does with each.

import PrintModel

/// An attribute that a client may send with a job: a job template or operation attribute of RFC 8011, of the PWG or of
/// CUPS.
///
/// The list `JobAttribute.all` decides which attributes cause no warning. `docs/results/job-attributes.md` contains the
/// list as a table.
package struct JobAttribute: Hashable, Sendable {
    package var name: String
    /// The standard that defines the attribute, such as `PWG 5100.7`.
    package var standard: String
    package var treatment: Treatment
    /// Whether clients send the attribute with the operation attributes, and not with the job attributes.
    package var isOfOperation = false

    /// What printq does with an attribute.
    package enum Treatment: Hashable, Sendable, CaseIterable {
        /// The attribute is an option of the job. A value that is not supported causes a warning.
        case applied
        /// The attribute describes the job or its document, and changes no page.
        case descriptive
        /// The job is held until its owner releases the job, and has a warning.
        case holding
        /// The attribute causes a warning.
        case unsupported
    }

    /// Every attribute, in the order of its name.
    package static let all: [JobAttribute] =
        (read(tables + [(.applied, "printq", ownOptions)], isOfOperation: false)
        + read(operationTables, isOfOperation: true)).sorted { $0.name < $1.name }

    /// Returns the names of the attributes with a treatment, among the job attributes or the operation attributes.
    package static func names(_ treatment: Treatment, ofOperation isOfOperation: Bool = false) -> Set<String> {
        Set(all.filter { $0.treatment == treatment && $0.isOfOperation == isOfOperation }.map(\.name))
    }

    private static func read(_ tables: [Table], isOfOperation: Bool) -> [JobAttribute] {
        tables.flatMap { treatment, standard, names in
            names.split(separator: " ").map {
                JobAttribute(
                    name: String($0), standard: standard, treatment: treatment, isOfOperation: isOfOperation)
            }
        }
    }

    private typealias Table = (treatment: Treatment, standard: String, names: String)

    /// The options that no standard defines.
    private static let ownOptions =
        (PrintOption.all.map(\.name).filter { $0.hasPrefix("printq-") } + [
            "line-numbers", "media-source", "media-type", "output-type", "tab-width",
        ])
        .joined(separator: " ")

    private static let tables: [Table] = [
        (
            .applied, "RFC 8011",
            """
            copies finishings job-hold-until job-priority job-sheets media multiple-document-handling number-up \
            orientation-requested page-ranges print-quality printer-resolution sides
            """
        ),
        (.applied, "PWG 5100.1", "finishings-col"),
        (.applied, "PWG 5100.2", "output-bin"),
        (.applied, "PWG 5100.3", "imposition-template page-delivery presentation-direction-number-up"),
        (.applied, "PWG 5100.5", "document-charset"),
        (
            .applied, "PWG 5100.7",
            "job-hold-until-time job-retain-until job-sheets-col media-col print-content-optimize"
        ),
        (.applied, "PWG 5100.13", "print-color-mode print-rendering-intent print-scaling"),
        (
            .applied, "CUPS",
            """
            collate columns cpi fit-to-page fitplot landscape lpi mirror number-up-layout outputorder page-border \
            page-set prettyprint scaling wrap
            """
        ),

        (
            .descriptive, "RFC 8011",
            "document-format job-impressions job-k-octets job-media-sheets job-name job-originating-user-name"
        ),
        (
            .descriptive, "PWG 5100.7",
            "job-account-id job-accounting-user-id job-mandatory-attributes job-pages"
        ),
        (.descriptive, "PWG 5100.13", "job-uuid"),
        (.descriptive, "CUPS", "job-billing job-originating-host-name"),

        (.unsupported, "RFC 3381", "sheet-collate"),
        (.unsupported, "PWG 5100.1", "job-pages-per-set"),
        (
            .unsupported, "PWG 5100.3",
            """
            cover-back cover-front force-front-side image-orientation insert-sheet job-accounting-sheets \
            job-complete-before job-complete-before-time job-error-sheet job-message-to-operator job-phone-number \
            job-recipient-name job-sheet-message media-input-tray-check page-order-received separator-sheets \
            x-image-position x-image-shift x-side1-image-shift x-side2-image-shift y-image-position y-image-shift \
            y-side1-image-shift y-side2-image-shift
            """
        ),
        (.unsupported, "PWG 5100.6", "overrides"),
        (
            .unsupported, "PWG 5100.7",
            """
            job-copies job-cover-back job-cover-front job-delay-output-until job-delay-output-until-time \
            job-finishings job-finishings-col job-retain-until-interval job-retain-until-time job-save-disposition \
            output-device
            """
        ),
        (.unsupported, "PWG 5100.11", "feed-orientation job-cancel-after proof-copies proof-print"),
        (.unsupported, "PWG 5100.13", "job-error-action media-overprint pages-per-subset"),
        (
            .unsupported, "PWG 5100.15",
            "confirmation-sheet-print cover-sheet-info destination-uris number-of-retries retry-interval retry-time-out"
        ),
        (.unsupported, "PWG 5100.16", "job-account-type"),
        (
            .unsupported, "PWG 5100.21",
            """
            chamber-humidity chamber-temperature materials-col multiple-object-handling platform-temperature \
            print-accuracy print-base print-objects print-supports
            """
        ),
        (.unsupported, "PWG label printing", "print-darkness print-speed"),
        (
            .unsupported, "CUPS",
            """
            auth-info blackplot brightness gamma hue natural-scaling page-bottom page-label page-left page-right \
            page-top penwidth position ppi saturation
            """
        ),
    ]

    /// The attributes that a client sends in the group of operation attributes.
    private static let operationTables: [Table] = [
        (
            .applied, "RFC 8011",
            "compression document-format document-name document-uri ipp-attribute-fidelity job-name last-document"
        ),
        (.applied, "PWG 5100.5", "document-charset"),
        (.applied, "PWG 5100.7", "job-mandatory-attributes"),
        (.applied, "PWG 5100.13", "document-password"),

        (
            .descriptive, "RFC 8011",
            "document-natural-language job-impressions job-k-octets job-media-sheets"
        ),
        (.descriptive, "PWG 5100.5", "document-message document-number"),
        (
            .descriptive, "PWG 5100.7",
            "client-info document-format-details document-format-version job-pages job-pages-col"
        ),
        (.descriptive, "PWG 5100.13", "document-metadata"),
        (.descriptive, "PWG 5100.16", "charge-info-message job-authorization-uri job-impressions-estimated"),

        (.applied, "PWG 5100.11", "job-password job-password-encryption"),
        (.holding, "PWG 5100.11", "job-release-action"),

        (.unsupported, "PWG 5100.7", "document-digital-signature"),
        (.unsupported, "PWG 5100.15", "input-attributes"),
        (.unsupported, "PWG 5100.17", "destination-accesses"),
        (
            .unsupported, "PWG 5100.18",
            "document-access document-preprocessed encrypted-job-request-format encrypted-job-request-id"
        ),
    ]
}
