// Writes a response to a connection.

import IPP
import NIOCore
import NIOHTTP1
import PrintIPP

/// A writer that sends one response over a connection: in one write if all bytes are known, otherwise in parts.
///
/// The writer runs in a task on the connection's event loop.
struct IPPAnswerWriter: Sendable {
    let connection: NIOLoopBound<IPPConnection>

    func send(_ answer: IPPAnswer) async {
        guard let more = answer.more, let beginning = try? answer.message.encodedBeginning() else {
            return connection.value.send(answer.encoded ?? answer.message.encodedAnyway)
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

    /// Sends a part of the response, and returns when the channel is writable again.
    private func write(_ bytes: [UInt8]) async throws {
        guard try !connection.value.sendPiece(bytes) else { return }
        try await withCheckedThrowingContinuation { connection.value.keepWaiting($0) }
    }

    /// Returns the next part of a long response, or `nil` at the end of the response.
    ///
    /// The part is encoded outside of the event loop's thread.
    private func encodedPart(_ more: IPPAnswer.More) async throws -> [UInt8]? {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await more()?.flatMap { try $0.encoded() }
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
