// Server-sent events as text.

import IPP
import PrintModel
import SpoolerClient

/// The texts of server-sent events (HTML Living Standard §9.2).
enum EventText {
    /// A comment line that keeps the connection of an event stream open.
    static let heartbeat = Array(":\n\n".utf8)

    /// Returns the text of the first event of a stream.
    ///
    /// - Parameter number: The number of the event after which the stream starts.
    static func hello(_ number: Int) -> [UInt8] { message("hello", number: nil, .object([("event", .number(number))])) }

    /// Returns the text of an event that tells the client to load all data again.
    ///
    /// - Parameter number: The number of the newest event. The stream continues after this event.
    static func reset(_ number: Int) -> [UInt8] {
        message("reset", number: number, .object([("event", .number(number))]))
    }

    /// Returns the text of a server-sent event that reports an event of the spool.
    static func event(_ event: EventView) -> [UInt8] {
        let group = AttributeGroup(.eventNotification, event.attributes)
        var members: [(name: String, value: JSONText)] = [
            ("event", .number(event.number)), ("kind", .string(event.kind)), ("time", .time(event.time)),
        ]
        if let id = event.jobID { members.append(("job-id", .number(id))) }
        members.append(("printer", .string(event.printer)))
        let shown = [
            "job-state", "job-state-reasons", "job-impressions", "job-impressions-completed", "printer-state",
            "printer-state-reasons", "printer-is-accepting-jobs",
        ]
        for name in shown {
            guard let attribute = group[name] else { continue }
            guard case .object(let values) = JSONText([attribute]) else { continue }
            members += values.map { ($0.name, $0.value == .strings(["none"]) ? .array([]) : $0.value) }
        }
        return message(event.jobID == nil ? "printer" : "job", number: event.number, .object(members))
    }

    private static func message(_ name: String, number: Int?, _ data: JSONText) -> [UInt8] {
        let id = number.map { "id: \($0)\n" } ?? ""
        return Array("\(id)event: \(name)\ndata: \(data.compactText)\n\n".utf8)
    }
}
