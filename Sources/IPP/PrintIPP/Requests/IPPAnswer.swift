// An answer, all at once or in parts.

public import IPP
public import PrintModel

/// The answer to an IPP request: a message, and the groups that follow when there may be very many.
///
/// A list of a million jobs is one message on the wire, but never one value in memory.
public struct IPPAnswer: Sendable {
    /// The next groups of the answer, at least one; nil at its end.
    ///
    /// A failure cannot be said any more, since the status has been: whoever sends the answer breaks it off, so that it
    /// is not taken for whole.
    public typealias More = @Sendable () async throws(IPPFailure) -> [AttributeGroup]?

    /// The answer's beginning, or all of it.
    public var message: Message { didSet { encoded = nil } }
    /// The bytes of the message, when they are known already; nil when the message must be encoded.
    public private(set) var encoded: [UInt8]?
    /// The rest; nil when the message is all there is.
    public var more: More?

    /// What is sent instead; for simulated printers that answer wrongly.
    public var substitute: Substitute?

    /// An answer.
    public init(_ message: Message, more: More? = nil) {
        self.message = message
        self.more = more
    }

    /// An answer in one message whose bytes are known.
    public init(_ message: Message, encoded: [UInt8]) {
        self.message = message
        self.encoded = encoded
    }

    /// Something that is sent instead of a message.
    public enum Substitute: Hashable, Sendable {
        /// An HTTP status.
        case http(Int)
        /// These bytes as the body; then the connection breaks, when it is said so.
        case bytes([UInt8], breaksOff: Bool)
        /// These bytes as the body, so many of them a second.
        case slowBytes([UInt8], perSecond: Int)
        /// Nothing: the connection is reset (on TCP with RST).
        case reset
    }

    /// An HTTP status instead of an answer.
    public static func http(_ status: Int) -> IPPAnswer { IPPAnswer(substitute: .http(status)) }

    /// Bytes instead of a message.
    public static func bytes(_ bytes: [UInt8]) -> IPPAnswer { IPPAnswer(substitute: .bytes(bytes, breaksOff: false)) }

    /// The beginning of an answer, after which the connection breaks.
    public static func broken(after bytes: [UInt8]) -> IPPAnswer {
        IPPAnswer(substitute: .bytes(bytes, breaksOff: true))
    }

    /// A whole answer that comes at so many bytes a second, at least 1.
    public static func slow(_ bytes: [UInt8], perSecond rate: Int) -> IPPAnswer {
        IPPAnswer(substitute: .slowBytes(bytes, perSecond: max(1, rate)))
    }

    /// No answer, and a connection that is reset.
    public static let reset = IPPAnswer(substitute: .reset)

    private init(substitute: Substitute) {
        message = Message(version: .v2_0, status: .serverErrorInternalError, requestID: 1, groups: [])
        self.substitute = substitute
    }

    /// The answer as one message.
    public func whole() async throws(IPPFailure) -> Message {
        var message = message
        while let groups = try await more?() { message.groups += groups }
        return message
    }
}

/// Jobs page by page.
public struct JobPages: Sendable {
    /// The next jobs, at least one; nil at the end.
    public typealias Next = @Sendable () async throws(IPPFailure) -> [Job]?

    private let source: Next

    /// Pages that come from somewhere.
    public init(_ next: @escaping Next) { source = next }

    /// One page.
    public init(_ jobs: [Job]) {
        let once = Once(jobs)
        source = { () async throws(IPPFailure) in await once.take() }
    }

    /// The next jobs, at least one; nil at the end.
    public func next() async throws(IPPFailure) -> [Job]? { try await source() }

    private actor Once {
        private var jobs: [Job]

        init(_ jobs: [Job]) { self.jobs = jobs }

        func take() -> [Job]? {
            defer { jobs = [] }
            return jobs.isEmpty ? nil : jobs
        }
    }
}
