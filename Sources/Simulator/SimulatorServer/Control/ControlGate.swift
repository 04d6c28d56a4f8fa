// Who may change a simulated printer, and not only print on it.

package import IPP
package import PrintIPP

/// Who may use the controls of simulated printers.
///
/// A printer that stands on a desk lets whoever touches it open its trays and switch it off, and nobody else. So the controls are
/// for clients on this machine: on the Unix socket, or at a loopback address. Others must present the control token.
package struct ControlAccess: Sendable {
    private let token: ControlToken?

    /// Access for clients on this machine, and for those that present a token, if there is one.
    package init(token: ControlToken? = nil) { self.token = token }

    /// Whether a request may use the controls.
    package func permits(_ request: IPPRequest) -> Bool {
        if request.peer.isOnThisMachine { return true }
        return token?.matches(request.message[.operation]?.string(ControlToken.attributeName)) ?? false
    }

    /// Lets only those on who may use the controls.
    ///
    /// - Throws: `client-error-not-authorized`, with what to do.
    package func require(for request: IPPRequest) throws(IPPFailure) {
        guard !permits(request) else { return }
        let isGiven = request.message[.operation]?[ControlToken.attributeName] != nil
        let next =
            token == nil
            ? "start printsim with --control-token-file FILE to allow others"
            : isGiven
                ? "the control token is wrong" : "others must present the control token (--control-token-file FILE)"
        throw .notAuthorized(
            "only clients on the printer's own machine may control it (\(request.message.operation)); \(next)")
    }

    /// Whether a request changes a printer beyond printing on it, or jobs of others.
    ///
    /// Single jobs are no matter of this: a printer has no users, and whoever names a job's owner is taken for the owner.
    package static func isControl(_ message: Message) -> Bool {
        switch message.operation {
        case .pausePrinter, .resumePrinter, .enablePrinter, .disablePrinter, .purgeJobs, .setPrinterAttributes: true
        case .cancelJobs: message[.operation]?.boolean("my-jobs") != true
        case .controlPrinter: message[.operation]?.strings("printq-care") != ["status"]
        default: false
        }
    }
}

/// Refuses requests that control a printer to clients that may not, and passes everything else on.
package struct ControlGate: IPPResponder {
    private let responder: any IPPResponder
    private let access: ControlAccess

    /// A gate before what answers.
    package init(_ responder: any IPPResponder, access: ControlAccess) {
        (self.responder, self.access) = (responder, access)
    }

    /// Returns the responder's answer, or a refusal.
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
