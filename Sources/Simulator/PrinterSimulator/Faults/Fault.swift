// The faults of a simulated printer: kind, start and end.

package import PrintModel

/// A fault of a simulated printer.
///
///     try Fault("media-jam at job 2 page 3 until cleared")
///     try Fault("slow x10 for 30 seconds")
///     try Fault("status server-error-busy at Create-Job 3 times")
///
/// `Simulators/README.md` describes the syntax.
package struct Fault: Hashable, Sendable {
    package var kind: Kind
    package var start: Start
    package var end: End

    package enum Kind: Hashable, Sendable {
        /// A fault that stops the printer at the next side.
        ///
        /// The value is an IPP `printer-state-reasons` keyword without severity.
        case stop(String)
        /// A fault for which the printer reports a warning and continues to print.
        case warning(String)
        /// A fault that makes printing slower than the reported speed by this factor.
        case slow(Double)
        /// A fault that puts sheets of this wrong size into a tray.
        ///
        /// If the size is nil, the printer chooses another supported size.
        case wrongSize(Media?)
        /// A fault that switches the printer off until the fault ends.
        case crash
        /// A fault that makes responses to clients wrong or missing.
        case answer(AnswerFault)
    }

    /// If no property is set, the fault starts immediately.
    package struct Start: Hashable, Sendable {
        /// The number of the job (IPP `job-id`) at which the fault starts; nil for any job.
        package var job: Int?
        /// The number of the side before which the fault starts, counted from 1 across all copies of a job, without
        /// blank backs.
        ///
        /// If the value is nil, the fault starts before the first side or, if `chance` is set, before any side.
        package var page: Int?
        /// The name of the IPP operation that the fault affects; nil for any operation.
        package var operation: String?
        /// The number of bytes after which the fault starts: bytes of the document for `reset`, bytes of the response
        /// for `drop`.
        package var byte: Int?
        /// The delay before the fault can start, in seconds of the printer's clock.
        ///
        /// The delay begins when the fault is injected. For a fault in the printer file, the delay begins when the
        /// simulated printer is created.
        package var after: Double?
        /// The probability that the fault starts at each possible side or request, above 0 and up to 1.
        ///
        /// If the value is nil, the fault starts at the first possible side or request.
        package var chance: Double?

        package init(
            job: Int? = nil, page: Int? = nil, operation: String? = nil, byte: Int? = nil, after: Double? = nil,
            chance: Double? = nil
        ) {
            (self.job, self.page, self.operation, self.chance) = (job, page, operation, chance)
            (self.byte, self.after) = (byte, after)
        }
    }

    package enum End: Hashable, Sendable {
        /// A fault that lasts until a command clears the fault.
        case cleared
        /// A fault that ends after this number of seconds of the printer's clock.
        case seconds(Double)
        case times(Int)
    }

    package init(_ kind: Kind, at start: Start = Start(), until end: End = .cleared) {
        (self.kind, self.start, self.end) = (kind, start, end)
    }

    package var name: String {
        switch kind {
        case .stop(let reason), .warning(let reason): reason
        case .slow: "slow"
        case .wrongSize: "media-wrong-size"
        case .crash: "crash"
        case .answer(let answer): answer.name
        }
    }
}

package enum AnswerFault: Hashable, Sendable {
    /// A response with an IPP error status instead of the result.
    ///
    /// The value is the keyword of the status.
    case status(String)
    /// A response with this HTTP status instead of an IPP response.
    case http(Int)
    /// A response that is delayed until the fault ends.
    case stall
    /// A connection that ends in the middle of the response.
    case drop
    /// A refusal of connections by the printer.
    ///
    /// If the fault affects only some requests, the printer accepts the connection, and resets the connection before
    /// reading the document or sending a response.
    case refuse
    /// A connection that the printer resets in the middle of the document.
    case reset
    /// A response that is limited to this many bytes per second.
    case trickle(Int)
    /// A repetition of the previous response.
    case duplicate
    /// A response that violates the encoding of RFC 8010.
    case malformed
    /// A response that reports all jobs as pending.
    case wrongState
    /// A TLS handshake that fails before the client sends a request.
    case handshake(HandshakeFault)

    package var name: String {
        switch self {
        case .status: "status"
        case .http: "http"
        case .stall: "stall"
        case .drop: "drop"
        case .refuse: "refuse"
        case .reset: "reset"
        case .trickle: "trickle"
        case .duplicate: "duplicate"
        case .malformed: "malformed"
        case .wrongState: "wrong-state"
        case .handshake(let fault): fault.rawValue
        }
    }

    static let withoutArgument: [AnswerFault] = [.stall, .drop, .refuse, .reset, .duplicate, .malformed, .wrongState]

    package var isHandshake: Bool { if case .handshake = self { true } else { false } }
}

package enum HandshakeFault: String, Hashable, Sendable, CaseIterable {
    /// A handshake that fails with the alert handshake_failure.
    case failure = "tls-failure"
    /// A handshake in which the printer presents an expired certificate.
    case expired = "tls-expired"
    /// A handshake in which the printer presents the certificate of another host.
    case wrongName = "tls-wrong-name"
    /// A handshake to which the printer does not respond until the fault ends.
    case stall = "tls-stall"
}

extension Fault {
    /// The state reasons that stop a printer, each with its message (RFC 8011 §5.4.12, PWG 5100.9).
    package static let stops: [String: String] = [
        "media-jam": "Paper jam; clear the jam", "media-empty": "Out of paper; load paper",
        "media-needed": "The printer requires other paper; load the requested paper",
        "cover-open": "A cover is open; close the cover",
        "door-open": "A door is open; close the door", "interlock-open": "An interlock is open; close the interlock",
        "input-tray-missing": "A tray is missing; insert the tray",
        "output-area-full": "The output bin is full; empty the bin",
        "output-tray-missing": "The output bin is missing; insert the bin",
        "toner-empty": "Out of toner; replace the cartridge",
        "marker-supply-empty": "Out of ink; replace the cartridge",
        "marker-waste-full": "The waste container is full; replace the container",
        "fuser-over-temp": "The fuser is too hot; wait until the fuser has cooled down",
        "fuser-under-temp": "The fuser is too cold; wait until the fuser has warmed up",
        "opc-life-over": "The drum is worn out; replace the drum",
        "stopped-partly": "A part of the printer has stopped; check the printer",
        "timed-out": "The printer does not respond",
    ]

    package static let warnings: Set<String> = [
        "media-low", "toner-low", "marker-supply-low", "marker-waste-almost-full", "output-area-almost-full",
        "opc-near-eol", spoolAreaFull,
    ]

    /// The state reason of a printer that refuses new jobs and documents.
    ///
    /// The printer still prints accepted jobs (RFC 8011 §5.4.12).
    package static let spoolAreaFull = "spool-area-full"
}
