// The response to an IPP request, in one part or in several parts.

package import IPP
public import PrintModel

/// The response to an IPP request: a message, followed by additional attribute groups if the response contains a long
/// list.
///
/// A response with a million jobs is one message, but is never completely in memory.
public struct IPPAnswer: Sendable {
    /// Whole attribute groups of a response.
    public struct Part: Sendable {
        package let groups: [AttributeGroup]
        /// The encoded groups; `nil` if the server must encode the groups.
        package let encoded: [UInt8]?

        package init(_ groups: [AttributeGroup], encoded: [UInt8]? = nil) {
            (self.groups, self.encoded) = (groups, encoded)
        }
    }

    /// A function that returns the next groups of the response, at least one group.
    ///
    /// The function returns `nil` at the end of the response.
    ///
    /// The server calls this function after sending the status. If the function throws an error, the server closes the
    /// connection. The client then does not mistake a part of the response for the whole response.
    public typealias More = @Sendable () async throws -> Part?

    package var message: Message { didSet { encoded = nil } }
    /// The encoded message; `nil` if the server must encode the message.
    package private(set) var encoded: [UInt8]?
    /// The remaining groups; `nil` when the message is the whole response.
    package var more: More?
    /// Whether the client must send credentials: the HTTP status is 401 (RFC 9110 §15.5.2), instead of 200.
    package var asksForCredentials: Bool { message.status == .clientErrorNotAuthenticated }
    /// The time in seconds after which the client can try again (`Retry-After`): the HTTP status is 429; nil otherwise.
    package var retryAfter: Int?

    package init(_ message: Message, more: More? = nil) {
        self.message = message
        self.more = more
    }

    /// Creates a response from one message that has already been encoded.
    ///
    /// The server sends the bytes without changes.
    package init(_ message: Message, encoded: [UInt8]) {
        self.message = message
        self.encoded = encoded
    }

    package func whole() async throws -> Message {
        var message = message
        while let part = try await more?() { message.groups += part.groups }
        return message
    }
}

/// A list of jobs that is read in parts.
public struct JobListParts: Sendable {
    /// A function that returns the next jobs of the list, at least one job.
    ///
    /// The function returns `nil` at the end of the list.
    public typealias Next = @Sendable () async throws -> [Job]?

    private let source: Next

    /// Each call of the given function returns the next part of the list.
    package init(_ next: @escaping Next) { source = next }

    package init(_ jobs: [Job]) {
        let once = Once(jobs)
        source = { await once.take() }
    }

    /// Returns the next jobs of the list, at least one job; `nil` at the end of the list.
    public func next() async throws -> [Job]? { try await source() }

    private actor Once {
        private var jobs: [Job]

        init(_ jobs: [Job]) { self.jobs = jobs }

        func take() -> [Job]? {
            defer { jobs = [] }
            return jobs.isEmpty ? nil : jobs
        }
    }
}
