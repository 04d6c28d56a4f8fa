// Signs users in over IPP, for `printq center`.

import IPP
package import PrintIPP
import SpoolerClient

/// A responder that creates one-time URLs for the Print Center, and forwards all other requests.
package struct CenterSignIn: IPPResponder {
    private let responder: any IPPResponder
    private let sessions: Sessions
    private let accounts: UserAccounts
    private let configuration: PrintCenter.Configuration

    /// Creates a responder that forwards requests to another responder.
    package init(
        _ responder: any IPPResponder, sessions: Sessions, accounts: UserAccounts = .system,
        configuration: PrintCenter.Configuration
    ) {
        (self.responder, self.sessions) = (responder, sessions)
        (self.accounts, self.configuration) = (accounts, configuration)
    }

    /// Returns the response to the operation `printqOpenCenter`.
    ///
    /// The function forwards other requests to the next responder.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        guard request.message.operation == .printqOpenCenter else { return await responder.answer(to: request) }
        do throws(IPPFailure) {
            _ = try request.message.checked(for: [.printqOpenCenter])
            guard case .unix(let uid, let gid, _) = request.peer else {
                throw .notAuthorized("only users who connect through the Unix socket can open the Print Center")
            }
            let user = SessionUser(uid: uid, gid: gid, name: try await name(of: uid))
            let url = try await address(for: user)
            let group = AttributeGroup(.printer, [Attribute("printq-center-uri", .uri(url))])
            return IPPAnswer(request.message.reply(.successfulOk, groups: [group]))
        } catch {
            return IPPAnswer(request.message.reply(error))
        }
    }

    private func name(of uid: UInt32) async throws(IPPFailure) -> String {
        do throws(NameServiceError) {
            return try await accounts.user(uid, claimedName: nil).name
        } catch {
            throw IPPFailure(error)
        }
    }

    private func address(for user: SessionUser) async throws(IPPFailure) -> String {
        do throws(AddressError) {
            return try await configuration.signInAddress(for: user, sessions).url
        } catch {
            throw .notPossible(error.message)
        }
    }
}
