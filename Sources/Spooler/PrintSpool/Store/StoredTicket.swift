// Reads stored job options, which another version of printq may have written.

import FoundationEssentials
import PrintModel
import Synchronization

/// The stored options of a job.
///
/// A newer version of printq may have stored options that this version does not support. In that case the stored
/// options do not change, and the job is held (`Spool.holdUnknown`) until the user installs a version that supports the
/// options.
enum StoredTicket {
    /// Options that this version of printq fully supports.
    case known(JobTicket)
    /// Options that this version of printq does not fully support.
    case unknown

    /// Decodes stored options.
    ///
    /// - Throws: `DamagedValue` when the text is not a JSON object.
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
            throw DamagedValue("unreadable ticket: \(error)")
        }
    }

    /// The text of the ticket that was last encoded.
    ///
    /// Most jobs have the options of their printer.
    private static let lastText = Mutex<(ticket: JobTicket, text: String)?>(nil)

    static func text(of ticket: JobTicket) throws -> String {
        if let text = lastText.withLock({ $0?.ticket == ticket ? $0?.text : nil }) { return text }
        let text = try StoredJSON.text(of: ticket)
        lastText.withLock { $0 = (ticket, text) }
        return text
    }

    /// The JSON keys of the options that this version supports.
    private static let names = Set(Mirror(reflecting: JobTicket()).children.compactMap(\.label))

    /// A ticket, and whether this version supports all options of the ticket.
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

    /// A JSON value of any type.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension JobStateReason {
    /// The IPP state reason of a job with options that this version does not support.
    ///
    /// The stored options of the job do not change.
    static let unsupportedAttributesOrValues: JobStateReason = "unsupported-attributes-or-values"
}

extension Job {
    /// Whether the job has options that this version does not support.
    var hasUnknownOptions: Bool { reasons.contains(.unsupportedAttributesOrValues) }
}
