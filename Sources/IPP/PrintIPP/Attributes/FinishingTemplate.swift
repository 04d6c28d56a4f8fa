// The names of finishings in `finishings-col`.

import IPP

/// The names of finishings (`finishing-template`, PWG 5100.1 §5.2.4).
///
/// Each name corresponds to one integer value of the attribute `finishings`.
enum FinishingTemplate {
    /// The names of the integer values of the attribute `finishings` (PWG 5100.1 §6).
    private static let names: [Int32: String] = [
        3: "none", 4: "staple", 5: "punch", 6: "cover", 7: "bind", 8: "saddle-stitch", 9: "edge-stitch", 10: "fold",
        11: "trim", 12: "bale", 13: "booklet-maker", 14: "jog-offset", 15: "coat", 16: "laminate",
        20: "staple-top-left", 21: "staple-bottom-left", 22: "staple-top-right", 23: "staple-bottom-right",
        24: "edge-stitch-left", 25: "edge-stitch-top", 26: "edge-stitch-right", 27: "edge-stitch-bottom",
        28: "staple-dual-left", 29: "staple-dual-top", 30: "staple-dual-right", 31: "staple-dual-bottom",
        60: "trim-after-pages", 61: "trim-after-documents", 62: "trim-after-copies", 63: "trim-after-job",
    ]

    private static let numbers = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })

    /// Returns the `finishings` values that correspond to the templates in a `finishings-col` attribute.
    ///
    /// The result is `nil` if a template has no corresponding value, or if the attribute contains no templates.
    static func numbers(in attribute: Attribute) -> [Int32]? {
        var found: [Int32] = []
        for value in attribute.values {
            guard let name = value.collectionValue?.string("finishing-template"), let number = numbers[name] else {
                return nil
            }
            found.append(number)
        }
        return found.isEmpty ? nil : found
    }

    /// Returns the finishings of a printer as printer attributes.
    ///
    /// Finishings without a name are omitted.
    ///
    /// - Parameters:
    ///   - supported: The values of `finishings-supported`.
    ///   - usual: The values of `finishings-default`.
    static func attributes(supported: [Value], usual: [Value]) -> [Attribute] {
        func collections(_ values: [Value]) -> [Value] {
            names(of: values).map { .collection(IPP.Collection([Attribute("finishing-template", .keyword($0))])) }
        }
        return [
            Attribute("finishing-template-supported", names(of: supported).map { .keyword($0) }),
            Attribute("finishings-col-database", collections(supported)),
            Attribute("finishings-col-default", collections(usual)),
            Attribute("finishings-col-ready", collections(supported)),
            Attribute("finishings-col-supported", .keyword("finishing-template")),
            Attribute("finishings-ready", supported),
        ].filter { !$0.values.isEmpty }
    }

    private static func names(of values: [Value]) -> [String] {
        values.compactMap { $0.intValue.flatMap { names[$0] } }
    }
}
