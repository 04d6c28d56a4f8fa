// From an answer to what goes over the connection.

import IPP
import NIOCore
import NIOHTTP1
import PrintIPP

/// Sends one answer over a connection: at once when its bytes are known, in pieces when it may be long.
///
/// It runs in a task on the connection's event loop.
struct IPPAnswerWriter: Sendable {
    let connection: NIOLoopBound<IPPConnection>

    func send(_ answer: IPPAnswer) async {
        guard let more = answer.more, let beginning = try? answer.message.encodedBeginning() else {
            return connection.value.send(answer.encoded ?? answer.message.encodedAnyway)
        }
        connection.value.beginAnswer()
        do {
            try await write(beginning)
            // What goes wrong from here on breaks the connection, so that nobody takes a part for the whole.
            while let bytes = try await encodedPart(more) { try await write(bytes) }
            try await write(Message.encodedEnd)
            connection.value.endAnswer()
        } catch {
            connection.value.breakOff()
        }
    }

    /// Sends a piece, and returns when the client has room for the next.
    private func write(_ bytes: [UInt8]) async throws {
        guard try !connection.value.sendPiece(bytes) else { return }
        try await withCheckedThrowingContinuation { connection.value.keepWaiting($0) }
    }

    /// The next part of a long answer, made where it holds up nobody whose requests are read by the same thread.
    private func encodedPart(_ more: IPPAnswer.More) async throws -> [UInt8]? {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await more()?.flatMap { try $0.encoded() }
        }
    }
}

extension Message {
    /// The message's bytes; one that cannot be encoded becomes a bare `server-error-internal-error`.
    var encodedAnyway: [UInt8] {
        if let encoded = try? encoded() { return encoded }
        let id = UInt32(bitPattern: requestID)
        let status = Status.serverErrorInternalError.rawValue
        return [version.major, version.minor, UInt8(status >> 8), UInt8(status & 0xFF)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) } + Message.encodedEnd
    }
}
