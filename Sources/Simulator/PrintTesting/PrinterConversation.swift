// Asking a test printer, over IPP as everybody does.

import FoundationEssentials
import Glibc
import IPP
import IPPClient
import PrintIPP

/// Requests to one printer, each on a connection of its own, because faults may break any of them.
struct PrinterConversation: Sendable {
    /// The printer.
    var uri: String
    /// Where it listens.
    var address: IPPAddress

    /// A request about the printer.
    func request(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], groups: [AttributeGroup] = []
    ) -> Message {
        let user = UserAccounts.name(of: geteuid())
        let own = [Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name(user))]
        return Message(operation: operation, requestID: 1, groups: [.operation(own + attributes)] + groups)
    }

    /// The answer, of whatever status, to a request that is given up when the time is over.
    func answer(
        to request: Message, document: DocumentSource? = nil, until end: ContinuousClock.Instant? = nil
    ) async throws(IPPClientError) -> Message {
        let client = IPPClient(address: address)
        let result: Result<Message, IPPClientError> = await withTaskGroup(of: Result<Message, IPPClientError>?.self) {
            tasks in
            tasks.addTask {
                do throws(IPPClientError) {
                    return .success(try await client.send(request, document: document))
                } catch {
                    return .failure(error)
                }
            }
            if let end {
                tasks.addTask {
                    try? await Task.sleep(until: end, clock: .continuous)
                    return nil
                }
            }
            // Whoever waits no longer hangs up, which a cancelled request does.
            var answer: Result<Message, IPPClientError>?
            for await next in tasks {
                tasks.cancelAll()
                answer = answer ?? next
            }
            return answer ?? .failure(IPPClientError(.canceled, "the request was given up", mayHaveBeenReceived: true))
        }
        await client.close()
        return try result.get()
    }

    /// The answer to a request that the printer carried out.
    ///
    /// - Throws: `refused`, with the printer's status and words.
    func send(
        _ request: Message, document: DocumentSource? = nil, doing what: String
    ) async throws(PrintTestingError) -> Message {
        let answer: Message
        do throws(IPPClientError) {
            answer = try await self.answer(to: request, document: document)
        } catch {
            throw PrintTestingError(.refused, "\(what) failed: \(error.message)", cause: error)
        }
        guard answer.status.rawValue < 0x0100 else {
            let words = answer[.operation]?.string("status-message").map { ": \($0)" } ?? ""
            throw PrintTestingError(.refused, "\(what) was refused with \(answer.status)\(words)")
        }
        return answer
    }
}
