// Reads stored job options, which another version of printq may have written.

import FoundationEssentials
import GRDB
import PrintModel

/// The stored options of a job.
///
/// A newer version may have stored options that this version does not support. The stored options of such a job do not
/// change. The job is held until a version that supports the options runs (`Spool.holdUnknown`).
enum StoredTicket {
    /// All options are supported by this version.
    case known(JobTicket)
    /// Some options are not supported by this version.
    case unknown

    /// Decodes stored options.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when the text is not a JSON object.
    init(_ text: String) throws {
        let data = Data(text.utf8)
        if let reading = try? JSONDecoder().decode(Reading.self, from: data) {
            self = reading.isComplete ? .known(reading.ticket) : .unknown
            return
        }
        do {
            _ = try JSONDecoder().decode([String: AnyValue].self, from: data)
            self = .unknown
        } catch {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unreadable ticket: \(error)")
        }
    }

    /// The JSON keys of the supported options.
    private static let names = Set(Mirror(reflecting: JobTicket()).children.compactMap(\.label))

    /// A ticket, and whether all its options are supported.
    private struct Reading: Decodable {
        var ticket: JobTicket
        var isComplete: Bool

        init(from decoder: any Decoder) throws {
            ticket = try JobTicket(from: decoder)
            isComplete = try decoder.container(keyedBy: AnyKey.self).allKeys.allSatisfy {
                StoredTicket.names.contains($0.stringValue)
            }
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Any JSON value.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension JobStateReason {
    /// The IPP state reason of a job with options that this version does not support.
    ///
    /// The stored ticket does not change.
    static let unsupportedAttributesOrValues: JobStateReason = "unsupported-attributes-or-values"
}

extension Job {
    /// Whether the job has options that this version does not support.
    var hasUnknownOptions: Bool { reasons.contains(.unsupportedAttributesOrValues) }
}
