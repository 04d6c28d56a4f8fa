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
    /// The kind of the fault.
    package var kind: Kind
    /// The condition that starts the fault.
    package var start: Start
    /// The condition that ends the fault.
    package var end: End

    /// The kinds of faults.
    package enum Kind: Hashable, Sendable {
        /// The printer stops at the next side.
        ///
        /// The value is an IPP `printer-state-reasons` keyword without severity.
        case stop(String)
        /// The printer reports a warning and continues.
        case warning(String)
        /// A side takes this many times as long as the reported speed implies.
        case slow(Double)
        /// A tray holds sheets of another size than before; nil chooses one of the printer's other sizes.
        case wrongSize(Media?)
        /// The power fails, and returns when the fault ends.
        case crash
        /// Clients get a wrong response or no response.
        case answer(AnswerFault)
    }

    /// The condition that starts a fault.
    ///
    /// Without any property, the fault starts immediately.
    package struct Start: Hashable, Sendable {
        /// The number of the job at which the fault starts; nil for any job.
        package var job: Int?
        /// The side before which the fault starts, counted from 1 over all copies of a job; nil for any side.
        package var page: Int?
        /// The IPP name of the operation that the fault affects; nil for any operation.
        package var operation: String?
        /// The number of bytes of the document (`reset`) or of the response (`drop`) before the fault starts.
        package var byte: Int?
        /// The delay in seconds of the printer's clock, counted from the injection of the fault or from the time when
        /// the printer is switched on.
        package var after: Double?
        /// The probability that the fault starts at each opportunity, above 0 and up to 1; nil starts the fault at the
        /// first opportunity.
        package var chance: Double?

        /// Creates a start condition.
        package init(
            job: Int? = nil, page: Int? = nil, operation: String? = nil, byte: Int? = nil, after: Double? = nil,
            chance: Double? = nil
        ) {
            (self.job, self.page, self.operation, self.chance) = (job, page, operation, chance)
            (self.byte, self.after) = (byte, after)
        }
    }

    /// The condition that ends a fault.
    package enum End: Hashable, Sendable {
        /// The fault lasts until it is cleared.
        case cleared
        /// The fault lasts this many seconds of the printer's clock.
        case seconds(Double)
        /// The fault affects this many requests.
        case times(Int)
    }

    /// Creates a fault.
    package init(_ kind: Kind, at start: Start = Start(), until end: End = .cleared) {
        (self.kind, self.start, self.end) = (kind, start, end)
    }

    /// The name that clears the fault.
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

/// The ways in which a response can fail.
package enum AnswerFault: Hashable, Sendable {
    /// An IPP status replaces the result.
    ///
    /// The value is the keyword of the status.
    case status(String)
    /// An HTTP status replaces the IPP response.
    case http(Int)
    /// The response is delayed until the fault ends.
    case stall
    /// The connection breaks after the beginning of the response.
    case drop
    /// Connections are refused.
    ///
    /// If the fault is limited to some requests, the connection is reset before the document is read and without a
    /// response.
    case refuse
    /// The connection is reset in the middle of the document.
    case reset
    /// The response is limited to this many bytes per second.
    case trickle(Int)
    /// The response is a repetition of the previous response.
    case duplicate
    /// The response violates the encoding of RFC 8010.
    case malformed
    /// The response reports all jobs as pending.
    case wrongState
    /// The TLS handshake fails, before the client sends a request.
    case handshake(HandshakeFault)

    /// The name of the fault.
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

    /// Whether the fault affects the TLS handshake.
    package var isHandshake: Bool { if case .handshake = self { true } else { false } }
}

/// The ways in which a TLS handshake can fail.
package enum HandshakeFault: String, Hashable, Sendable, CaseIterable {
    /// The handshake fails with the alert handshake_failure.
    case failure = "tls-failure"
    /// The certificate has expired.
    case expired = "tls-expired"
    /// The certificate is for another host.
    case wrongName = "tls-wrong-name"
    /// The handshake is not answered until the fault ends.
    case stall = "tls-stall"
}

extension Fault {
    /// The reasons that stop a printer, each with its message (RFC 8011 §5.4.12, PWG 5100.9).
    package static let stops: [String: String] = [
        "media-jam": "Paper jam; clear it", "media-empty": "Out of paper; load paper",
        "media-needed": "Other paper is needed; load the requested paper", "cover-open": "A cover is open; close it",
        "door-open": "A door is open; close it", "interlock-open": "An interlock is open; close it",
        "input-tray-missing": "A tray is missing; insert the tray",
        "output-area-full": "The output bin is full; empty it",
        "output-tray-missing": "The output bin is missing; insert the bin",
        "toner-empty": "Out of toner; replace the cartridge",
        "marker-supply-empty": "Out of ink; replace the cartridge",
        "marker-waste-full": "The waste container is full; replace the container",
        "fuser-over-temp": "The fuser is too hot; wait", "fuser-under-temp": "The fuser is too cold; wait",
        "opc-life-over": "The drum is worn out; replace the drum",
        "stopped-partly": "A part of the printer has stopped; check the printer",
        "timed-out": "The printer does not respond",
    ]

    /// The reasons that a printer reports as warnings.
    package static let warnings: Set<String> = [
        "media-low", "toner-low", "marker-supply-low", "marker-waste-almost-full", "output-area-almost-full",
        "opc-near-eol", spoolAreaFull,
    ]

    /// The reason for which the printer refuses new jobs and documents.
    ///
    /// The printer still prints accepted jobs (RFC 8011 §5.4.12).
    package static let spoolAreaFull = "spool-area-full"
}
