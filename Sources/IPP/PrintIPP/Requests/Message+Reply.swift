// Answers: what all of them begin with.

public import IPP

extension Message {
    /// An answer to this request: its version and id, charset and language first (RFC 8011 §4.1.4).
    public func reply(
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
        // A version we do not speak is answered in one that we do.
        let version = self.version.major == 1 || self.version.major == 2 ? self.version : .v2_0
        return Message(
            version: version, status: status, requestID: requestID, groups: [operation] + unsupported + groups)
    }

    /// The answer that a failure makes.
    public func reply(_ failure: IPPFailure) -> Message {
        var reply = reply(failure.status, failure.message, unsupported: failure.unsupported)
        reply[.operation]?.append(contentsOf: failure.told)
        return reply
    }
}

extension String {
    /// As much of the text as fits into a number of UTF-8 bytes, cut between characters.
    ///
    /// A first character that is too long by itself, a letter under a heap of accents, is cut as well.
    package func prefixOfUTF8(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var used = 0
        let whole = prefix {
            used += $0.utf8.count
            return used <= limit
        }
        if !whole.isEmpty { return String(whole) }
        used = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix {
                    used += UTF8.width($0)
                    return used <= limit
                }))
    }
}
