// Authenticates clients on the network, and changes the users on the network.

import AsyncPrimitives
public import PrintIPP
public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the token or the user that credentials prove; nil if the credentials are wrong or have expired.
    ///
    /// A valid token is always accepted, because nobody can guess its 256 random bits or its signature.
    ///
    /// - Throws: `TooManyLogins` if the credentials were not checked.
    public func authenticate(_ credentials: Credentials, from address: String?) async throws -> NetworkIdentity? {
        if let token = try await spool.token(with: credentials.secret) { return .token(token) }
        guard let address else { return nil }
        if credentials.user == nil, !AccessToken.isSecret(credentials.secret) {
            do {
                if let user = try await openID(credentials.secret) { return .user(user) }
            } catch {
                try logins.refuseToken("\(error)", from: address)
                return nil
            }
        }
        return try await logins.user(credentials, from: address) { name in try await spool.user(named: name) }
            .map { .user($0) }
    }

    /// Returns whether a user who proved the identity with a password still exists and has this password.
    ///
    /// Of an account of this machine, only the existence is known: nothing reports a new password.
    package func isCurrent(_ user: NetworkUser, accounts: UserAccounts = .system) async throws -> Bool {
        if let found = try await spool.user(named: user.name) { return found.user == user }
        guard logins.accepts(account: user) else { return false }
        return try await accounts.hasAccount(named: user.name)
    }

    /// Returns the users on the network.
    public func users() async throws -> [NetworkUser] { try await spool.users() }

    /// Changes the users on the network.
    public func changeUsers(_ change: UserChange) async throws {
        switch change {
        case .add(let name, let scope, let password, let isSamePerson):
            let hash = try await Self.hash(of: password)
            try await spool.addUser(named: name, scope: scope, passwordHash: hash, isSamePerson: isSamePerson)
        case .setPassword(let name, let password):
            try await spool.setPasswordHash(try await Self.hash(of: password), ofUser: name)
        case .remove(let name):
            try await spool.removeUser(named: name)
        }
    }

    private static func hash(of password: UserPassword) async throws -> String {
        guard let hash = await BlockingThreads.shared.run({ Yescrypt.hash(of: password.text) }) else {
            throw IPPFailure(.serverErrorInternalError, "libcrypt cannot hash passwords with yescrypt")
        }
        return hash
    }
}
