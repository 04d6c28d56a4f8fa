// Formats IPP attributes as JSON under their IPP names.

package import IPP
import PrintModel

extension JSONText {
    /// Creates an object with one member per attribute.
    ///
    /// States are keywords (`"job-state": "pending"`), times are ISO 8601, ranges are `"1-3"`, and out-of-band values
    /// are null. An attribute that can have several values is always an array.
    package init(_ attributes: [Attribute]) {
        self = .object(attributes.map { (name: $0.name, value: JSONText($0)) })
    }

    package init(_ attribute: Attribute) {
        let values = attribute.values.map { JSONText($0, of: attribute.name) }
        if values == [.null] {
            self = .null
        } else if values.count != 1 || Self.isSet(attribute.name) {
            self = .array(values)
        } else {
            self = values[0]
        }
    }

    private init(_ value: Value, of name: String) {
        switch value {
        case .integer(let number): self = .number(Int(number))
        case .boolean(let truth): self = .bool(truth)
        case .enumeration(let number):
            switch name {
            case "job-state": self = JobState(rawValue: Int(number)).map { .string("\($0)") } ?? .number(Int(number))
            case "printer-state":
                self = PrinterState(rawValue: Int(number)).map { .string("\($0)") } ?? .number(Int(number))
            default: self = .number(Int(number))
            }
        case .octetString(let bytes), .unknown(_, let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .dateTime(let moment): self = .string("\(moment)")
        case .resolution(let resolution):
            let unit = resolution.units == .dotsPerCentimeter ? "dpcm" : "dpi"
            self = .string("\(resolution.crossFeed)x\(resolution.feed)\(unit)")
        case .range(let range): self = .string("\(range.lower)-\(range.upper)")
        case .collection(let collection): self.init(collection.members)
        case .outOfBand: self = .null
        default: self = value.stringValue.map { .string($0) } ?? .null
        }
    }

    private static func isSet(_ name: String) -> Bool {
        let suffixes = ["-supported", "-ready", "-reasons", "-database"]
        let names: Set<String> = [
            "page-ranges", "printq-job-events", "printq-doctor", "printq-listening", "printq-listening-security",
            "type-formats", "type-extensions", "printq-trays", "printq-supplies", "printq-faults",
            "printq-hosts", "printq-placements", "printq-reachable-hosts",
        ]
        // `color-supported` and `page-ranges-supported` are booleans; `job-priority-supported` is a number.
        let single: Set<String> = [
            "color-supported", "page-ranges-supported", "job-priority-supported", "copies-supported",
        ]
        return names.contains(name) || (suffixes.contains { name.hasSuffix($0) } && !single.contains(name))
    }
}
