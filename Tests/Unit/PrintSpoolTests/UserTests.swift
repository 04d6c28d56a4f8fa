import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of the users on the network, with both stores.
struct UserTests {
    private let files = TestSpool()

    @Test func `a user is found by the exact name, until the user is removed`() async throws {
        let spool = try await files.open()
        try await spool.addUser(named: "anna", scope: .submit, passwordHash: "$y$1")
        try await spool.addUser(named: "Anna", scope: .manage, passwordHash: "$y$2")
        let found = try #require(try await spool.user(named: "anna"))
        #expect(found.user.scope == .submit && found.passwordHash == "$y$1")
        #expect(try await spool.user(named: "Anna")?.passwordHash == "$y$2")
        for name in ["ANNA", "anna ", "", "a%"] { #expect(try await spool.user(named: name) == nil) }
        #expect(Set(try await spool.users().map(\.name)) == ["anna", "Anna"])
        try await spool.removeUser(named: "anna")
        #expect(try await spool.user(named: "anna") == nil)
        #expect(try await spool.users().map(\.name) == ["Anna"])
        try spool.close()
    }

    @Test func `a new password replaces the old hash, and its time is stored`() async throws {
        let spool = try await files.open()
        try await spool.addUser(named: "anna", scope: .submit, passwordHash: "$y$1")
        files.clock.advance(by: 100)
        try await spool.setPasswordHash("$y$2", ofUser: "anna")
        let found = try #require(try await spool.user(named: "anna"))
        #expect(found.passwordHash == "$y$2")
        #expect(found.user.passwordChangedAt == found.user.createdAt + 100)
        try spool.close()
    }

    @Test func `two users cannot have the same name, and an unknown user cannot be changed`() async throws {
        let spool = try await files.open()
        try await spool.addUser(named: "anna", scope: .look, passwordHash: "$y$1")
        await #expect(throws: SpoolError.self) {
            try await spool.addUser(named: "anna", scope: .manage, passwordHash: "$y$2", isSamePerson: true)
        }
        #expect(try await spool.users().map(\.scope) == [.look])
        await #expect(throws: SpoolError.self) { try await spool.setPasswordHash("$y$", ofUser: "ben") }
        await #expect(throws: SpoolError.self) { try await spool.removeUser(named: "ben") }
        try spool.close()
    }

    @Test func `a new user does not silently own jobs, ended jobs or accounting entries of the name`() async throws {
        let spool = try await files.open()
        try await spool.addUser(named: "ada", scope: .submit, passwordHash: "$y$1")
        let job = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "letter"),
            documents: [(spool.document("hello"), name: "letter.txt", format: .text)])
        try await spool.removeUser(named: "ada")
        #expect(try await spool.job(job.id)?.owner == "ada")
        func refusal() async -> String? {
            do {
                try await spool.addUser(named: "ada", scope: .submit, passwordHash: "$y$2")
                return nil
            } catch { return error.message }
        }
        #expect(await refusal()?.contains("has jobs of 'ada'") == true)
        try await spool.change(job.id, .cancelRequested(byOperator: false))
        #expect(await refusal()?.contains("has jobs of 'ada'") == true)
        #expect(try await spool.users().isEmpty)
        // Names are compared exactly.
        try await spool.addUser(named: "Ada", scope: .submit, passwordHash: "$y$3")
        try await spool.addUser(named: "ada", scope: .submit, passwordHash: "$y$2", isSamePerson: true)
        #expect(try await spool.user(named: "ada")?.passwordHash == "$y$2")
        try spool.close()
    }
}
