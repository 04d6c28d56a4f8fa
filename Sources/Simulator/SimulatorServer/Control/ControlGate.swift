// Authorizes requests that control a simulated printer.

package import IPP
package import PrintIPP

/// The access rule for the controls of simulated printers.
///
/// At a real printer, every person in the room can open the trays and switch the printer off. In the same way, every
/// client on this machine can use the controls, on the Unix socket or at a loopback address. All other clients must
/// present the control token.
package struct ControlAccess: Sendable {
    private let token: ControlToken?

    /// Without a token, only clients on this machine have access.
    package init(token: ControlToken? = nil) { self.token = token }

    package func permits(_ request: IPPRequest) -> Bool {
        if request.peer.isOnThisMachine { return true }
        return token?.matches(request.message[.operation]?.string(ControlToken.attributeName)) ?? false
    }

    /// - Throws: `client-error-not-authorized`, with a message that explains how to obtain access.
    package func require(for request: IPPRequest) throws(IPPFailure) {
        guard !permits(request) else { return }
        let isGiven = request.message[.operation]?[ControlToken.attributeName] != nil
        let next =
            token == nil
            ? "start printsim with --control-token-file FILE to allow other clients"
            : isGiven
                ? "the control token is incorrect" : "present the control token with --control-token-file FILE"
        throw .notAuthorized(
            "\(request.message.operation) is allowed only for clients on the printer's machine; \(next)")
    }

    /// Returns whether a request changes the printer or many jobs, and therefore requires authorization.
    ///
    /// For a request about a single job, the function returns false: a simulated printer has no user accounts, and
    /// cannot check whether the client is the job's owner.
    package static func isControl(_ message: Message) -> Bool {
        switch message.operation {
        case .pausePrinter, .resumePrinter, .enablePrinter, .disablePrinter, .purgeJobs, .setPrinterAttributes: true
        case .cancelJobs: message[.operation]?.boolean("my-jobs") != true
        case .controlPrinter:
            // `status` and `log` change nothing.
            message[.operation].map { operation in
                let words = operation.strings("printq-control")
                return words != ["status"] && words.first != "log"
            } ?? true
        default: false
        }
    }
}

/// A responder that refuses control requests from unauthorized clients.
///
/// All other requests are forwarded.
package struct ControlGate: IPPResponder {
    private let responder: any IPPResponder
    private let access: ControlAccess

    package init(_ responder: any IPPResponder, access: ControlAccess) {
        (self.responder, self.access) = (responder, access)
    }

    package func answer(to request: IPPRequest) async -> IPPAnswer {
        if let refusal = refusal(of: request) { return IPPAnswer(refusal) }
        return await responder.answer(to: request)
    }

    private func refusal(of request: IPPRequest) -> Message? {
        guard ControlAccess.isControl(request.message) else { return nil }
        do throws(IPPFailure) {
            try access.require(for: request)
            return nil
        } catch {
            return request.message.reply(error)
        }
    }
}
