import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import Synchronization
import Testing

/// Tests of the rule that ends the sessions of users on the network.
struct CurrentUserTests {
    private func logIn(_ quiet: QuietSpool, _ password: String) async throws -> NetworkUser? {
        let identity = try await quiet.service.authenticate(
            Credentials(user: "ann", secret: password), from: "192.0.2.7")
        guard case .user(let user) = identity else { return nil }
        return user
    }

    @Test func `a user is current until the password changes or the user is removed, also if the user comes back`()
        async throws
    {
        let quiet = try await QuietSpool()
        let (first, second) = (
            try #require(UserPassword("correct horse")), try #require(UserPassword("battery staple"))
        )
        let addition = UserChange.add(name: "ann", scope: .submit, password: first, isSamePerson: true)
        try await quiet.service.changeUsers(addition)
        let old = try #require(try await logIn(quiet, "correct horse"))
        #expect(try await quiet.service.isCurrent(old))
        try await quiet.service.changeUsers(.setPassword(name: "ann", second))
        #expect(try await !quiet.service.isCurrent(old))
        let new = try #require(try await logIn(quiet, "battery staple"))
        #expect(try await quiet.service.isCurrent(new))
        try await quiet.service.changeUsers(.remove(name: "ann"))
        #expect(try await !quiet.service.isCurrent(new))
        try await quiet.service.changeUsers(addition)
        for user in [old, new] { #expect(try await !quiet.service.isCurrent(user)) }
    }

    private final class Setting: Sendable {
        let isOn = Atomic(true)
    }

    @Test func `a user of a machine's account is current while the account exists and is accepted`() async throws {
        let setting = Setting()
        let logins = PasswordLogins(
            acceptsMachineAccounts: setting.isOn.load(ordering: .relaxed), machine: { _, _, _ in .right })
        let quiet = try await QuietSpool(logins: logins)
        let user = try #require(try await logIn(quiet, "anything"))
        func isCurrent(_ hasAccount: Bool = true) async throws -> Bool {
            let accounts = UserAccounts(
                lifetime: .zero,
                lookUp: .init(name: { _ in nil }, isMember: { _, _ in false }, exists: { _ in hasAccount }))
            return try await quiet.service.isCurrent(user, accounts: accounts)
        }
        #expect(try await isCurrent())
        #expect(try await !isCurrent(false))
        setting.isOn.store(false, ordering: .relaxed)
        #expect(try await !isCurrent())
        setting.isOn.store(true, ordering: .relaxed)
        // A user of printq has the name now, with another password.
        try await quiet.service.changeUsers(
            .add(name: "ann", scope: .submit, password: try #require(UserPassword("correct horse")), isSamePerson: true)
        )
        #expect(try await !isCurrent())
    }
}
