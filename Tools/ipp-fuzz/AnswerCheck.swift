// Checks the requirements for all IPP responses.

import IPP

/// A check of a response against the general requirements of RFC 8011 §4.1 and RFC 8010 §3.1.
struct AnswerCheck {
    let request: Message
    let answer: Message

    /// The first violation in the response; nil if there is none.
    var fault: String? {
        if answer.requestID != request.requestID { return "it has another request-id" }
        if answer.status.description.hasPrefix("0x") { return "its status is not registered" }
        if answer.status == .serverErrorInternalError { return "its status is server-error-internal-error" }
        guard let bytes = try? answer.encoded() else { return "it cannot be encoded" }
        guard (try? Message.decode(bytes, limits: .response).message) == answer else {
            return "it differs after encoding and decoding"
        }
        guard let first = answer.groups.first, first.tag == .operation, first.attributes.count >= 2,
            first.attributes[0].name == "attributes-charset", first.attributes[1].name == "attributes-natural-language"
        else { return "it does not begin with charset and language" }
        if let status = first.string("status-message"), status.utf8.count > 255 {
            return "its status-message is longer than 255 bytes"
        }
        if answer.status.isSuccess, let reason = mustFail { return "its status is successful, but \(reason)" }
        return nil
    }

    /// The reason why every printer must reject the request; nil if a printer may accept it.
    private var mustFail: String? {
        if !(1...2).contains(request.version.major) { return "the version IPP \(request.version) does not exist" }
        if request.requestID <= 0 { return "the request-id is not positive" }
        guard let first = request.groups.first, first.tag == .operation else { return "it has no operation attributes" }
        guard first.attributes.count >= 2, first.attributes[0].name == "attributes-charset",
            first.attributes[1].name == "attributes-natural-language"
        else { return "the request does not begin with charset and language" }
        guard
            first.string("attributes-charset")?.lowercased() == "utf-8"
                || first.string("attributes-charset")?.lowercased() == "us-ascii"
        else { return "the charset is unknown" }
        return nil
    }
}
