// Errors from the answers of a server.

import CLibpq

extension PostgresError {
    /// Creates an error from an error response of the server.
    ///
    /// - Parameters:
    ///   - statement: The statement that failed; nil if the error belongs to no statement.
    ///   - isConnected: Whether the connection still exists.
    init(result: OpaquePointer, statement: String?, isConnected: Bool) {
        let state = Self.field(PGDiagnostic.sqlState, of: result)
        let constraint = Self.field(PGDiagnostic.constraint, of: result)
        let message =
            Self.field(PGDiagnostic.message, of: result) ?? Self.oneLine(String(cString: PQresultErrorMessage(result)))
        let isLost = !isConnected && state == nil
        self.init(
            isLost ? .connectionLost : state.map { Kind(sqlState: $0, constraint: constraint) } ?? .other,
            "\(isLost ? "the connection to PostgreSQL was lost" : "PostgreSQL refused a statement"): \(message)",
            sqlState: state,
            detail: Self.field(PGDiagnostic.detail, of: result), statement: statement)
        // The tables of the statement have changed, and the statement is prepared again at its next use. Other errors
        // with 0A000 would be repeated.
        let isOutdated = Self.field(PGDiagnostic.function, of: result) == "RevalidateCachedQuery"
        if state == "26000" || isOutdated || isLost { isRetrySafe = true }
    }

    /// Creates an error from the message of a failed connection attempt.
    ///
    /// libpq reports the SQLSTATE of such an error only as a part of a verbose message.
    init(connecting text: String) {
        let lines = text.split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("LOCATION:") && !$0.trimmed.isEmpty }
        var message = lines.map(\.trimmed).joined(separator: "; ")
        var state: String?
        if let match = Self.sqlState(in: message) {
            state = String(message[match])
            message.removeSubrange(match.lowerBound..<message.index(match.upperBound, offsetBy: 2))
        }
        var kind = state.map { Kind(sqlState: $0) } ?? .unreachable
        // Without a password the client refuses to continue, and the message has no SQLSTATE.
        if state == nil, message.contains("no password supplied") { kind = .authentication }
        if kind == .other || kind == .connectionLost { kind = .unreachable }
        self.init(kind, "cannot connect to PostgreSQL: \(message)", sqlState: state, isRetrySafe: true)
        if kind == .authentication { isRetrySafe = false }
    }

    /// Returns the range of the SQLSTATE in a verbose message, such as `FATAL:  28P01: password …`; nil if the message
    /// contains no SQLSTATE.
    private static func sqlState(in message: String) -> Range<String.Index>? {
        var start = message.startIndex
        while let colon = message[start...].firstIndex(of: ":") {
            start = message.index(after: colon)
            let rest = message[start...]
            guard rest.hasPrefix("  ") else { continue }
            let state = rest.dropFirst(2).prefix(5)
            guard state.utf8.count == 5, state.utf8.allSatisfy(isStateCharacter), rest.dropFirst(7).hasPrefix(": ")
            else { continue }
            return state.startIndex..<state.endIndex
        }
        return nil
    }

    private static func isStateCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// Returns whether a statement that failed with this SQLSTATE must be prepared again.
    ///
    /// The SQLSTATE means that the prepared statement does not exist, or that its result type has changed.
    static func mustPrepareAgain(_ sqlState: String?) -> Bool { sqlState == "26000" || sqlState == "0A000" }

    /// Returns a field of an error or a warning; nil if the server did not send the field.
    static func field(_ code: Int32, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }

    /// Returns a message of several lines as one line.
    static func oneLine(_ text: String) -> String {
        text.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

/// The codes of the fields of an error response.
///
/// libpq defines the codes as C character constants, which Swift does not import.
enum PGDiagnostic {
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let message = Int32(UInt8(ascii: "M"))
    static let detail = Int32(UInt8(ascii: "D"))
    static let constraint = Int32(UInt8(ascii: "n"))
    /// The code of the field that contains the function in the server's source code that reported the error.
    static let function = Int32(UInt8(ascii: "R"))
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
