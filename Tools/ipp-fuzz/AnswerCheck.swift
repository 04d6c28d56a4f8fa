// What every answer must be, whatever was asked.

import IPP

/// Compares an answer with what RFC 8011 §4.1 and RFC 8010 §3.1 say of all answers.
struct AnswerCheck {
    let request: Message
    let answer: Message

    /// What is wrong with the answer; nil when nothing is.
    var fault: String? {
        if answer.requestID != request.requestID { return "it has another request-id" }
        if answer.status.description.hasPrefix("0x") { return "its status is not registered" }
        if answer.status == .serverErrorInternalError { return "something broke inside" }
        guard let bytes = try? answer.encoded() else { return "it cannot be written" }
        guard (try? Message.decode(bytes, limits: .response).message) == answer else {
            return "it is read otherwise than it was written"
        }
        guard let first = answer.groups.first, first.tag == .operation, first.attributes.count >= 2,
            first.attributes[0].name == "attributes-charset", first.attributes[1].name == "attributes-natural-language"
        else { return "it does not begin with charset and language" }
        if let status = first.string("status-message"), status.utf8.count > 255 {
            return "its status-message is longer than 255 bytes"
        }
        if answer.status.isSuccess, let reason = mustFail { return "it is a success, but \(reason)" }
        return nil
    }

    /// Why the request cannot be carried out by any printer; nil when it may be.
    private var mustFail: String? {
        if !(1...2).contains(request.version.major) { return "nobody speaks IPP \(request.version)" }
        if request.requestID <= 0 { return "its request-id is not above 0" }
        guard let first = request.groups.first, first.tag == .operation else { return "it has no operation attributes" }
        guard first.attributes.count >= 2, first.attributes[0].name == "attributes-charset",
            first.attributes[1].name == "attributes-natural-language"
        else { return "it does not begin with charset and language" }
        guard
            first.string("attributes-charset")?.lowercased() == "utf-8"
                || first.string("attributes-charset")?.lowercased() == "us-ascii"
        else { return "its charset is not known" }
        return nil
    }
}
