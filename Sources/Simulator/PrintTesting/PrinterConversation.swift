// Sends IPP requests to a test printer.

import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintIPP

/// A sender of requests to one printer.
///
/// Each request uses a separate connection, because a fault can break a connection.
struct PrinterConversation: Sendable {
    var uri: String
    var address: IPPAddress

    func request(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], groups: [AttributeGroup] = []
    ) -> Message {
        let user = UserAccounts.name(of: geteuid())
        let own = [Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name(user))]
        return Message(operation: operation, requestID: 1, groups: [.operation(own + attributes)] + groups)
    }

    /// Sends a request and returns the response, even if the status of the response is an error.
    ///
    /// The request is canceled at the deadline `end`.
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
            // The canceled request closes its connection, which releases the printer.
            var answer: Result<Message, IPPClientError>?
            for await next in tasks {
                tasks.cancelAll()
                answer = answer ?? next
            }
            return answer ?? .failure(IPPClientError(.canceled, "the request was canceled", mayHaveBeenReceived: true))
        }
        await client.close()
        return try result.get()
    }

    /// - Throws: `refused`, with the printer's status and message, if the request failed.
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
            let message = answer[.operation]?.string("status-message").map { ": \($0)" } ?? ""
            throw PrintTestingError(.refused, "\(what) was refused with \(answer.status)\(message)")
        }
        return answer
    }
}
