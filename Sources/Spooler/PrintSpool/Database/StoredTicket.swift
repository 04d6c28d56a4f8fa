// A job's options as they are stored, which another version of the program may have written.

import FoundationEssentials
import GRDB
import PrintModel

/// The options of a job as they are stored.
///
/// A newer version may have stored options that this one does not know. Such a job is not damaged: its options stay as they
/// are, and it is held until a version runs that knows them (`Spool+UnknownOptions`).
enum StoredTicket {
    /// Options that this version knows.
    case known(JobTicket)
    /// Options of which some are unknown here.
    case unknown

    /// Reads stored options.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when the text is no JSON object.
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
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a job's ticket: \(error)")
        }
    }

    /// The names under which options are stored.
    private static let names = Set(Mirror(reflecting: JobTicket()).children.compactMap(\.label))

    /// A ticket, and whether every option in it is known.
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
    /// Some options of the job are unknown to this version (IPP registry); the stored ticket stays as it is.
    static let unsupportedAttributesOrValues: JobStateReason = "unsupported-attributes-or-values"
}

extension Job {
    /// Whether this version does not know all options of the job.
    var hasUnknownOptions: Bool { reasons.contains(.unsupportedAttributesOrValues) }
}
