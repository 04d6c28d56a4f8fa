// Authenticates requests to a server.

import Glibc
import IPP
import IPPClient
import PrintIPP

extension LibcupsTransport {
    /// The time for which a rejected login is not sent again: 30 seconds.
    ///
    /// Many servers lock a user out after a few wrong passwords.
    private static let sparing = Duration.seconds(30)

    /// Returns the value of the `Authorization` header for a request; nil if the request must not have that header.
    ///
    /// If a server has used TLS before, the transport sends a login to that server only with TLS.
    ///
    /// Until the server has accepted a login, the transport sends the login only with operations for which the server
    /// has requested a login. The reason for this rule: cupsd checks every login, even if the operation requires no
    /// login, and several requests with a wrong password would lock the user out.
    func authorization(for path: String, of operation: IPP.Operation, on line: HTTPConnection) async -> String? {
        // The challenge can change during the lookup.
        let account = challenge?.needsLogin == false ? try? await UserAccounts.system.name(of: geteuid()) : ""
        let user = account ?? "uid-\(geteuid())"
        guard var challenge else { return nil }
        guard !challenge.needsLogin || asking.contains(operation) || access.login == taken else { return nil }
        guard !challenge.needsLogin || !exposesLogin(line) else { return nil }
        defer { self.challenge = challenge }
        guard challenge.needsLogin else {
            return challenge.header(Login(user: user, password: ""), path: path, nonce: "")
        }
        let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
        return access.login.map { challenge.header($0, path: path, nonce: nonce) }
    }

    /// Prepares to send the request again after HTTP status 401.
    ///
    /// - Throws: `authenticationRequired` if the server offers no supported scheme, or if a person must store other
    ///   credentials.
    func acceptChallenge(
        _ words: String, of operation: IPP.Operation, on line: HTTPConnection, hadAnswer: Bool
    ) throws(IPPClientError) {
        let last = challenge
        // After the server has rejected peer credentials, use another scheme.
        let mayBeLocal = !(hadAnswer && last?.needsLogin == false)
        guard let asked = HTTPAuthorization(challenge: words, isLocal: isLocal && mayBeLocal) else {
            throw .authenticationRequired("\(address) requires an authentication method that printq does not support")
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
        // The server may have rejected an expired nonce. The login is wrong only if the nonce was new.
        let wasNew = last.map { !$0.needsLogin || $0.scheme == .basic || $0.count <= 1 } ?? true
        guard hadAnswer, mayBeLocal, wasNew else { return }
        refused[operation] = (login, .now)
        challenge = nil
        throw wantsLogin(login)
    }

    /// Records the current login as accepted, if `operation` requires a login.
    func noteTaken(by operation: IPP.Operation) {
        guard asking.contains(operation), challenge?.needsLogin == true else { return }
        taken = access.login
    }

    /// Checks that the server has not rejected the current login for the given operation in the last 30 seconds.
    ///
    /// - Throws: `authenticationRequired` if the server has rejected the login in this time.
    func spareServer(_ operation: IPP.Operation) throws(IPPClientError) {
        guard let (login, time) = refused[operation] else { return }
        guard login == access.login, ContinuousClock.now - time < Self.sparing else {
            refused[operation] = nil
            return
        }
        throw wantsLogin(login)
    }

    /// Returns whether a request sends a login that the server has not yet accepted.
    func triesLogin(_ operation: IPP.Operation) -> Bool {
        guard challenge?.needsLogin == true, asking.contains(operation), let login = access.login else { return false }
        return login != taken
    }

    /// Checks that the server has not rejected the current login for any operation in the last 30 seconds.
    ///
    /// - Throws: `authenticationRequired` if the server has rejected the login in this time.
    func spareLogin() throws(IPPClientError) {
        guard let login = access.login else { return }
        let isRefused = refused.values.contains { $0.login == login && ContinuousClock.now - $0.at < Self.sparing }
        if isRefused { throw wantsLogin(login) }
    }

    private func wantsLogin(_ login: Login?) -> IPPClientError {
        let command = "'printq printers login \(access.printer)'"
        guard let login else {
            return .authenticationRequired("\(address) requires a login; store the credentials with \(command)")
        }
        return .authenticationRequired(
            "\(address) rejected the password of '\(login.user)'; set a new password with \(command)")
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
