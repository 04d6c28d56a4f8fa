// Writes a response to a connection.

import HTTPTypes
import IPP
import NIOCore
import NIOHTTP1
import PrintIPP

/// A writer that sends one response over a connection: in one write if all bytes are known, otherwise in parts.
///
/// The writer runs in a task on the connection's event loop.
struct AnswerWriter: Sendable {
    let connection: NIOLoopBound<IPPConnection>
    let tasks: EventLoopExecutor

    // MARK: - IPP

    func send(_ answer: IPPAnswer) async {
        let isLong = answer.encoded == nil && answer.message.groups.count > Self.mostGroups
        guard let more = answer.more, let beginning = try? await encodedBeginning(of: answer.message, isLong) else {
            let bytes = isLong ? await encoded(answer.message) : answer.encoded ?? answer.message.encodedAnyway
            return connection.value.send(
                bytes, asksForCredentials: answer.asksForCredentials, retryAfter: answer.retryAfter)
        }
        connection.value.beginAnswer()
        do {
            try await write(beginning)
            // A failure after this point closes the connection, so that the client does not mistake a part for the
            // whole response.
            while let bytes = try await encodedPart(more) { try await write(bytes) }
            try await write(Message.encodedEnd)
            connection.value.endAnswer()
        } catch {
            connection.value.breakOff()
        }
    }

    // MARK: - Other content

    /// Sends the response to a request other than IPP.
    ///
    /// - Parameter isHead: Whether the client has requested only the header.
    func send(_ answer: WebAnswer, isHead: Bool) async {
        let status = HTTPResponseStatus(statusCode: answer.status.code, reasonPhrase: answer.status.reasonPhrase)
        var headers = answer.headers.map { ($0.name.rawName, $0.value) }
        switch answer.body {
        case .bytes(let bytes): connection.value.send(status, headers, bytes, isHead: isHead)
        case .stream(let length, let produce):
            if let length { headers.append(("content-length", String(length))) }
            connection.value.beginAnswer(status, headers, isHead: isHead)
            do {
                if !isHead {
                    // The closure can run its parts elsewhere.
                    try await produce { piece in
                        try await withTaskExecutorPreference(tasks) { try await write(piece) }
                    }
                }
                connection.value.endAnswer()
            } catch {
                connection.value.breakOff()
            }
        case .disconnect: connection.value.disconnect()
        }
    }

    /// Sends a part of the response, and returns when the channel is writable again.
    private func write(_ bytes: [UInt8]) async throws {
        guard try !connection.value.sendPiece(bytes) else { return }
        try await withCheckedThrowingContinuation { connection.value.keepWaiting($0) }
    }

    /// The maximum number of groups of a message that is encoded on the event loop's thread.
    private static let mostGroups = 50

    private func encodedBeginning(of message: Message, _ isLong: Bool) async throws -> [UInt8] {
        guard isLong else { return try message.encodedBeginning() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try message.encodedBeginning() }
    }

    private func encoded(_ message: Message) async -> [UInt8] {
        await withTaskExecutorPreference(globalConcurrentExecutor) { message.encodedAnyway }
    }

    /// Returns the next part of a long response, or `nil` at the end of the response.
    ///
    /// The part is made and encoded outside of the event loop's thread.
    private func encodedPart(_ more: IPPAnswer.More) async throws -> [UInt8]? {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            guard let part = try await more() else { return nil }
            return try part.encoded ?? part.groups.flatMap { try $0.encoded() }
        }
    }
}

extension Message {
    /// The encoded message, or an empty `server-error-internal-error` response if the message cannot be encoded.
    var encodedAnyway: [UInt8] {
        if let encoded = try? encoded() { return encoded }
        let id = UInt32(bitPattern: requestID)
        let status = Status.serverErrorInternalError.rawValue
        return [version.major, version.minor, UInt8(status >> 8), UInt8(status & 0xFF)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) } + Message.encodedEnd
    }
}
