// What a transport does when the server asks who we are.

import Glibc
import IPP
import IPPClient
import PrintIPP

extension LibcupsTransport {
    /// How long a server that did not take our login is not asked again with the same, in seconds: many lock a user out
    /// after a few wrong passwords.
    private static let sparing = Duration.seconds(30)

    /// What to say of ourselves with a request; nil as long as the server has not asked.
    ///
    /// A login does not go over a connection without TLS to a server that had TLS before.
    ///
    /// A login that the server has not taken yet goes only with what it asked for: a cupsd looks at every one that comes, also
    /// where it wants none, and a wrong one that it counts several times locks a user out.
    func authorization(for path: String, of operation: IPP.Operation, on line: HTTPLine) -> String? {
        guard var challenge else { return nil }
        guard !challenge.needsLogin || asking.contains(operation) || access.login == taken else { return nil }
        guard !challenge.needsLogin || !exposesLogin(line) else { return nil }
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
    func acceptChallenge(
        _ words: String, of operation: IPP.Operation, on line: HTTPLine, hadAnswer: Bool
    ) throws(IPPClientError) {
        let last = challenge
        // Peer credentials that were not taken leave the other ways.
        let mayBeLocal = !(hadAnswer && last?.needsLogin == false)
        guard let asked = HTTPAuthorization(challenge: words, isLocal: isLocal && mayBeLocal) else {
            throw .authenticationRequired("\(address) wants to know who asks, in a way that is not known here")
        }
        challenge = asked
        asking.insert(operation)
        if hadAnswer { taken = nil }
        guard asked.needsLogin else { return }
        guard let login = access.login else {
            refused[operation] = (nil, .now)
            throw wantsLogin(nil)
        }
        guard !exposesLogin(line) else { return beginTLSForLogin() }
        // A server forgets its nonces: only a login that was refused with a new one is wrong.
        let wasNew = last.map { !$0.needsLogin || $0.scheme == .basic || $0.count <= 1 } ?? true
        guard hadAnswer, mayBeLocal, wasNew else { return }
        refused[operation] = (login, .now)
        challenge = nil
        throw wantsLogin(login)
    }

    /// Takes note that the server has done what it had asked for our login for.
    func noteTaken(by operation: IPP.Operation) {
        guard asking.contains(operation), challenge?.needsLogin == true else { return }
        taken = access.login
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

    /// Whether a request tries a login that the server has not taken yet.
    func triesLogin(_ operation: IPP.Operation) -> Bool {
        guard challenge?.needsLogin == true, asking.contains(operation), let login = access.login else { return false }
        return login != taken
    }

    /// Does not try a login that the server has refused just now, whatever that was for.
    func spareLogin() throws(IPPClientError) {
        guard let login = access.login else { return }
        let isRefused = refused.values.contains { $0.login == login && ContinuousClock.now - $0.at < Self.sparing }
        if isRefused { throw wantsLogin(login) }
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
