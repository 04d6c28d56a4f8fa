import Foundation
import PrintTestSupport
import SpoolerClient
import Testing

struct ServerLoginsTests {
    private let folder = try! TemporaryFolder()
    private var path: String { folder.path("config/printq/servers.json") }
    private var logins: ServerLogins { ServerLogins(path: path) }

    @Test func `a login is stored in a file that only the user can read, and replaces the earlier login`() throws {
        let (first, second) = (try ServerAddress("ipps://a"), try ServerAddress("ipps://b:8632"))
        #expect(try logins.login(at: first) == nil)
        try logins.store(ServerLogin(server: first, user: "anna", secret: "1", key: nil))
        try logins.store(ServerLogin(server: second, user: "anna", secret: "2", key: "ab"))
        try logins.store(ServerLogin(server: first, user: "ben", secret: "3", key: nil))
        #expect(try logins.login(at: first) == ServerLogin(server: first, user: "ben", secret: "3", key: nil))
        #expect(try logins.login(at: second)?.key == "ab")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try logins.remove(first))
        #expect(try !logins.remove(first))
        #expect(try logins.login(at: first) == nil)
    }

    @Test(arguments: [
        ("secret", "Basic YW5uYTpzZWNyZXQ="), ("eyJ.secret", "Basic YW5uYTpleUouc2VjcmV0"),
        ("eyJhbGciOiJFUzI1NiJ9.e30.AA", "Bearer eyJhbGciOiJFUzI1NiJ9.e30.AA"),
    ])
    func `a token of OpenID Connect is sent as a bearer token`(secret: String, field: String) throws {
        let login = ServerLogin(server: try ServerAddress("ipps://a"), user: "anna", secret: secret, key: nil)
        #expect(login.authorization == field)
    }

    @Test func `a file that others can read, or that is damaged, is refused`() throws {
        let server = try ServerAddress("ipps://a")
        try logins.store(ServerLogin(server: server, user: "anna", secret: "1", key: nil))
        chmod(path, 0o644)
        #expect(#expect(throws: SpoolerClientError.self) { try logins.login(at: server) }?.code == .noPermission)
        try Data("[".utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        #expect(#expect(throws: SpoolerClientError.self) { try logins.login(at: server) }?.code == .noInput)
    }
}
