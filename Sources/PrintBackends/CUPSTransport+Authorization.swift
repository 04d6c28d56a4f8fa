// What a transport does when the server asks who we are.

import Glibc
import IPP
import IPPClient
import PrintIPP

extension CUPSTransport {
    /// How long a server that did not take our login is not asked again with the same, in seconds: many lock a user out
    /// after a few wrong passwords.
    private static let sparing = Duration.seconds(30)

    /// What to say of ourselves with a request; nil as long as the server has not asked.
    func authorization(for path: String) -> String? {
        guard var challenge else { return nil }
        defer { self.challenge = challenge }
        guard challenge.needsLogin else {
            return challenge.header(Login(user: UserAccounts.name(of: geteuid()), password: ""), path: path, nonce: "")
        }
        let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
        return access.login.map { challenge.header($0, path: path, nonce: nonce) }
    }

    /// Prepares the next try after a 401.
    ///
    /// - Throws: `authenticationRequired` when a person must give another login.
    func heedChallenge(
        _ words: String, of operation: IPP.Operation, hadAnswer: Bool
    ) throws(IPPClientError) {
        let last = challenge
        // Peer credentials that were not taken leave the other ways.
        let mayBeLocal = !(hadAnswer && last?.needsLogin == false)
        guard let asked = HTTPAuthorization(challenge: words, isLocal: isLocal && mayBeLocal) else {
            throw .authenticationRequired("\(address) wants to know who asks, in a way that is not known here")
        }
        challenge = asked
        guard asked.needsLogin else { return }
        guard let login = access.login else {
            refused[operation] = (nil, .now)
            throw wantsLogin(nil)
        }
        // A server forgets its nonces: only a login that was refused with a new one is wrong.
        let wasNew = last.map { !$0.needsLogin || $0.scheme == .basic || $0.count <= 1 } ?? true
        guard hadAnswer, mayBeLocal, wasNew else { return }
        refused[operation] = (login, .now)
        challenge = nil
        throw wantsLogin(login)
    }

    /// Does not ask a server again at once that has refused the same login.
    func spareServer(_ operation: IPP.Operation) throws(IPPClientError) {
        guard let (login, time) = refused[operation] else { return }
        guard login == access.login, ContinuousClock.now - time < Self.sparing else {
            refused[operation] = nil
            return
        }
        throw wantsLogin(login)
    }

    private func wantsLogin(_ login: Login?) -> IPPClientError {
        let command = "'printq printers login \(access.printer)'"
        guard let login else {
            return .authenticationRequired("\(address) wants a name and a password; give them with \(command)")
        }
        return .authenticationRequired(
            "\(address) does not take the password of '\(login.user)'; give another with \(command)")
    }

    private var isLocal: Bool {
        if case .unix = address { true } else { false }
    }
}

extension IPPClientError {
    static func authenticationRequired(_ message: String) -> IPPClientError {
        IPPClientError(.authenticationRequired, message, mayHaveBeenReceived: false)
    }

    static func untrusted(_ message: String) -> IPPClientError {
        IPPClientError(.untrusted, message, mayHaveBeenReceived: false)
    }
}
