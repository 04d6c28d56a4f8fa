// Whole answers of responders.

package import IPP
package import PrintIPP

extension IPPResponder {
    /// Returns the answer to a request as one message.
    package func respond(to request: IPPRequest) async -> Message {
        do {
            return try await answer(to: request).whole()
        } catch {
            return request.message.reply(error)
        }
    }
}
