// Builds responses to requests.

package import IPP

extension Message {
    /// Returns a response to this request, with the request's ID, the charset and the language (RFC 8011 §4.1.4).
    ///
    /// The response has the version of the request. If this version is not supported, the response has the version 2.0.
    package func reply(
        _ status: Status, _ message: String = "", groups: [AttributeGroup] = [], unsupported: [Attribute] = []
    ) -> Message {
        var operation = AttributeGroup.operation()
        if !message.isEmpty {
            // status-message is a text(255), RFC 8011 §4.1.6.2.
            operation.append(Attribute("status-message", .text(message.prefixOfUTF8(255))))
            if message.utf8.count > 255 {
                operation.append(Attribute("detailed-status-message", .text(message.prefixOfUTF8(1023))))
            }
        }
        let unsupported = unsupported.isEmpty ? [] : [AttributeGroup(.unsupported, unsupported)]
        // A request with an unsupported version gets a response in a supported version.
        let version = self.version.major == 1 || self.version.major == 2 ? self.version : .v2_0
        return Message(
            version: version, status: status, requestID: requestID, groups: [operation] + unsupported + groups)
    }

    package func reply(_ error: any Error) -> Message {
        let failure = IPPFailure(error)
        var reply = reply(failure.status, failure.message, unsupported: failure.unsupported)
        reply[.operation]?.append(contentsOf: failure.attributes)
        return reply
    }
}
