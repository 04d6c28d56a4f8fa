import BackendTrials
import IPP
import IPPClient
import IPPNetworkClient
import Synchronization

/// The simulated faults between a backend and a working server.
final class Losses: Sendable {
    private struct State {
        var troubles: Set<BackendTrouble> = []
        var lastAnswer: Message?
    }
    private let state = Mutex(State())

    func begin(_ trouble: BackendTrouble) { state.withLock { _ = $0.troubles.insert(trouble) } }
    func end(_ trouble: BackendTrouble) { state.withLock { _ = $0.troubles.remove(trouble) } }
    func has(_ trouble: BackendTrouble) -> Bool { state.withLock { $0.troubles.contains(trouble) } }

    /// Returns the previous response once if the fault `answerRepeated` is active; otherwise the new response.
    func received(_ answer: Message, to operation: IPP.Operation?) -> Message {
        state.withLock { state in
            let before = state.lastAnswer
            state.lastAnswer = answer
            guard operation == .createJob, let before, state.troubles.remove(.answerRepeated) != nil else {
                return answer
            }
            return before
        }
    }
}

/// A transport that loses documents or responses, or cannot reach the server, depending on the active faults.
struct LossyTransport: IPPTransport {
    private let client: IPPClient
    private let losses: Losses

    init(_ client: IPPClient, _ losses: Losses) { (self.client, self.losses) = (client, losses) }

    private struct Cut: Error {}

    /// A client for a local port without a listener.
    private var nowhere: IPPClient { IPPClient(address: .tcp(host: "127.0.0.1", port: 9)) }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        if losses.has(.unreachable) { return try await nowhere.send(request, document: document, path: path) }
        let isCut = document != nil && losses.has(.documentCut)
        let lost = IPPClientError(.connectionLost, "the connection was lost", mayHaveBeenReceived: true)
        let answer: Message
        do throws(IPPClientError) {
            answer = try await client.send(request, document: isCut ? Self.begun : document, path: path)
        } catch {
            throw isCut ? lost : error
        }
        if document != nil, losses.has(.answerLost) { throw lost }
        return losses.received(answer, to: request.operation)
    }

    /// A document that fails after its first bytes, which closes the connection.
    private static var begun: DocumentSource {
        let pieces = Pieces()
        return .stream(length: nil) {
            guard let piece = pieces.next() else { throw Cut() }
            return piece
        }
    }

    private final class Pieces: Sendable {
        private let isSent = Mutex(false)

        func next() -> ArraySlice<UInt8>? {
            isSent.withLock { isSent in
                defer { isSent = true }
                return isSent ? nil : Array("%PDF-1.7\n".utf8)[...]
            }
        }
    }
}
