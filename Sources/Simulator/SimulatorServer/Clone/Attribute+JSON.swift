// Converts IPP attributes to JSON for job.json.

import IPP
import PrinterSimulator

extension [Attribute] {
    /// The attributes as JSON members.
    ///
    /// A single value is not wrapped in a list.
    ///
    ///     { "copies": 2, "media-col": { "media-size": { "x-dimension": 21000, "y-dimension": 29700 } } }
    var json: [String: JSONValue] {
        Dictionary(
            map { ($0.name, $0.values.count == 1 ? $0.values[0].json : .array($0.values.map(\.json))) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Value {
    /// The value as JSON.
    ///
    /// Numbers and Booleans keep their types. Ranges and collections are objects. Dates are seconds since 1970.
    /// Out-of-band values are null. All other values are text.
    var json: JSONValue {
        switch self {
        case .integer(let number), .enumeration(let number): .integer(Int(number))
        case .boolean(let truth): .bool(truth)
        case .range(let range): ["lower": .integer(Int(range.lower)), "upper": .integer(Int(range.upper))]
        case .resolution(let resolution):
            .string(
                "\(resolution.crossFeed)x\(resolution.feed)\(resolution.units == .dotsPerCentimeter ? "dpcm" : "dpi")")
        case .collection(let collection): .object(collection.members.json)
        case .dateTime(let moment): moment.unixTime.map { .integer(Int($0)) } ?? .null
        case .octetString(let bytes), .unknown(_, let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .outOfBand: .null
        default: .string(stringValue ?? "")
        }
    }
}
