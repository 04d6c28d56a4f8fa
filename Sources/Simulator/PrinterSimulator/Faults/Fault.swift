// What shall go wrong at a printer, when, and for how long.

package import PrintModel

/// Something that goes wrong at a simulated printer.
///
///     try Fault("media-jam at job 2 page 3 until cleared")
///     try Fault("slow x10 for 30 seconds")
///     try Fault("status server-error-busy at Create-Job 3 times")
///
/// `Simulators/README.md` has the whole grammar.
package struct Fault: Hashable, Sendable {
    /// What goes wrong.
    package var kind: Kind
    /// When it begins.
    package var start: Start
    /// How long it lasts.
    package var end: End

    /// What can go wrong.
    package enum Kind: Hashable, Sendable {
        /// The printer stops at the next side, for an IPP `printer-state-reasons` keyword without severity.
        case stop(String)
        /// The printer says so and goes on.
        case warning(String)
        /// A side takes so many times as long as the printer claims.
        case slow(Double)
        /// A tray holds sheets of another size than it did; nil for one of the printer's other sizes.
        case wrongSize(Media?)
        /// The power goes, and comes back when the fault ends.
        case crash
        /// Clients are answered wrongly, or not.
        case answer(AnswerFault)
    }

    /// When a fault begins; with nothing said, at once.
    package struct Start: Hashable, Sendable {
        /// At the job of that number only.
        package var job: Int?
        /// Before the side of that number of a job is printed, counted from 1 over all copies.
        package var page: Int?
        /// At requests of that operation only, by its IPP name.
        package var operation: String?
        /// After so many bytes of the document (`reset`) or of the answer (`drop`).
        package var byte: Int?
        /// So many seconds of the printer's clock after it was planned, or after the printer was switched on.
        package var after: Double?
        /// The chance that it begins whenever it could, above 0 and up to 1; nil for certain, and then once.
        package var chance: Double?

        /// A start.
        package init(
            job: Int? = nil, page: Int? = nil, operation: String? = nil, byte: Int? = nil, after: Double? = nil,
            chance: Double? = nil
        ) {
            (self.job, self.page, self.operation, self.chance) = (job, page, operation, chance)
            (self.byte, self.after) = (byte, after)
        }
    }

    /// How long a fault lasts.
    package enum End: Hashable, Sendable {
        /// Until someone clears it.
        case cleared
        /// So many seconds of the printer's clock.
        case seconds(Double)
        /// For so many requests.
        case times(Int)
    }

    /// A fault.
    package init(_ kind: Kind, at start: Start = Start(), until end: End = .cleared) {
        (self.kind, self.start, self.end) = (kind, start, end)
    }

    /// The word that clears it.
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

/// How clients are answered wrongly.
package enum AnswerFault: Hashable, Sendable {
    /// With an IPP status instead of what was asked for, by its keyword.
    case status(String)
    /// With an HTTP status instead of IPP.
    case http(Int)
    /// Not before the fault ends.
    case stall
    /// With the beginning of an answer, after which the connection breaks.
    case drop
    /// With no connection at all; with one that is reset without a byte of answer, the document unread, when it is for
    /// some requests only.
    case refuse
    /// With a connection that is reset in the middle of the document.
    case reset
    /// At so many bytes a second.
    case trickle(Int)
    /// With the answer to the request before.
    case duplicate
    /// With bytes that break the rules of RFC 8010.
    case malformed
    /// With jobs that always seem to wait.
    case wrongState
    /// Before any request, in the handshake of TLS.
    case handshake(HandshakeFault)

    /// The word for it.
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

    /// Whether it goes wrong before there is a request.
    package var isHandshake: Bool { if case .handshake = self { true } else { false } }
}

/// How the handshake of TLS goes wrong.
package enum HandshakeFault: String, Hashable, Sendable, CaseIterable {
    /// It fails, with the alert handshake_failure.
    case failure = "tls-failure"
    /// The certificate has expired.
    case expired = "tls-expired"
    /// The certificate is another host's.
    case wrongName = "tls-wrong-name"
    /// It is not answered before the fault ends.
    case stall = "tls-stall"
}

extension Fault {
    /// The reasons for which a printer stops, and what it says then (RFC 8011 §5.4.12, PWG 5100.9).
    package static let stops: [String: String] = [
        "media-jam": "Paper jam; clear it", "media-empty": "Out of paper; load some",
        "media-needed": "Other paper is needed; load it", "cover-open": "A cover is open; close it",
        "door-open": "A door is open; close it", "interlock-open": "A lock is open; close it",
        "input-tray-missing": "A tray is missing; put it in", "output-area-full": "The output bin is full; empty it",
        "output-tray-missing": "The output bin is missing; put it in", "toner-empty": "Out of toner; replace it",
        "marker-supply-empty": "Out of ink; replace it", "marker-waste-full": "The waste container is full; replace it",
        "fuser-over-temp": "The fuser is too hot; wait", "fuser-under-temp": "The fuser is too cold; wait",
        "opc-life-over": "The drum is worn out; replace it",
        "stopped-partly": "A part of the printer has stopped; look at it", "timed-out": "The printer does not answer",
    ]

    /// What a printer says and goes on.
    package static let warnings: Set<String> = [
        "media-low", "toner-low", "marker-supply-low", "marker-waste-almost-full", "output-area-almost-full",
        "opc-near-eol", spoolAreaFull,
    ]

    /// No new job and no document is taken, those that are there are printed (RFC 8011 §5.4.12).
    package static let spoolAreaFull = "spool-area-full"
}
