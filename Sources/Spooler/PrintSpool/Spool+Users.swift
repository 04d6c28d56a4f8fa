// Adds, finds and removes the users on the network.

public import PrintModel

extension Spool {
    /// Returns all users on the network in the order of their names.
    public func users() async throws(SpoolError) -> [NetworkUser] {
        try await read { snapshot in try snapshot.users() }
    }

    /// Returns a user on the network, and the hash of the user's password; nil if there is no such user.
    package func user(
        named name: String
    ) async throws(SpoolError) -> (user: NetworkUser, passwordHash: String)? {
        try await read { snapshot in try snapshot.user(named: name) }
    }

    /// Adds a user on the network.
    ///
    /// Jobs belong to names. A new user with the name of another person would see and change the jobs of this person,
    /// such as a user who was removed. Therefore the name must have no jobs, unless the caller says that the user is
    /// the same person.
    ///
    /// - Parameter isSamePerson: Whether the user owns existing jobs of the name.
    /// - Throws: `notPossible` if there is a user with the name, or if the name has jobs.
    public func addUser(
        named name: String, scope: AccessToken.Scope, passwordHash: String, isSamePerson: Bool = false
    ) async throws(SpoolError) {
        let user = NetworkUser(name: name, scope: scope, createdAt: clock())
        let refusal = try await write { transaction -> String? in
            if !isSamePerson, try transaction.hasJobs(ofOwner: name) {
                return "the queue or its accounting has jobs of '\(name)', which the new user would own; choose "
                    + "another name, or add '--same-person'"
            }
            let isNew = try transaction.insert(user, passwordHash: passwordHash)
            return isNew ? nil : "there is a user with the name '\(name)'; see 'printq users'"
        }
        if let refusal { throw SpoolError(code: .notPossible, message: refusal) }
    }

    /// Stores the hash of a new password: the old password is refused from the next request on, on every host.
    ///
    /// - Throws: `notPossible` if there is no user with the name.
    public func setPasswordHash(_ hash: String, ofUser name: String) async throws(SpoolError) {
        let now = clock()
        let isFound = try await write { transaction in
            try transaction.setPasswordHash(hash, ofUser: name, at: now)
        }
        guard isFound else { throw Self.noUser(name) }
    }

    /// Removes a user: the next request of the user is refused, on every host.
    ///
    /// The jobs of the user keep their owner.
    ///
    /// - Throws: `notPossible` if there is no user with the name.
    public func removeUser(named name: String) async throws(SpoolError) {
        guard try await write({ transaction in try transaction.removeUser(named: name) }) else {
            throw Self.noUser(name)
        }
    }

    private static func noUser(_ name: String) -> SpoolError {
        SpoolError(code: .notPossible, message: "there is no user with the name '\(name)'; see 'printq users'")
    }
}
