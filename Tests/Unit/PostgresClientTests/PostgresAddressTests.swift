import FoundationEssentials
import Glibc
import PrintTestSupport
import Testing

@testable import PostgresClient

struct PostgresAddressTests {
    @Test func `a PostgreSQL URI and an equivalent keyword string have the same settings`() throws {
        let uri = try PostgresAddress("postgresql://print@db1:5433/spool?sslmode=require")
        let keywords = try PostgresAddress("host=db1 port=5433 user=print dbname=spool sslmode=require")
        #expect(uri == keywords)
        #expect(uri["host"] == "db1")
        #expect(uri["dbname"] == "spool")
    }

    @Test func `each of several servers in a PostgreSQL address has its own port and the shared settings`() throws {
        let address = try PostgresAddress(
            "postgresql://print@db1:5433,db2:5434/spool?target_session_attrs=read-write")
        let servers = address.servers.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.keyword, $0.value) }) }
        #expect(servers.map { $0["host"] } == ["db1", "db2"])
        #expect(servers.map { $0["port"] } == ["5433", "5434"])
        #expect(servers.allSatisfy { $0["target_session_attrs"] == "read-write" && $0["dbname"] == "spool" })
    }

    @Test func `several servers in a PostgreSQL address can share one port`() throws {
        let address = try PostgresAddress("host=a,b port=5433")
        #expect(address.servers.map { $0.first { $0.keyword == "port" }?.value } == ["5433", "5433"])
    }

    @Test(
        arguments: [
            "postgresql://print:secret@db1/spool?sslpassword=secret", "host=db1 user=print password=secret",
            "password='secret'",
        ])
    func `the description of a PostgreSQL address contains no password`(text: String) throws {
        let address = try PostgresAddress(text)
        #expect(!address.description.contains("secret"))
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("secret"))
        #expect(address["password"] == nil)
        #expect(try address.passwords().contains { $0.value == "secret" })
    }

    @Test func `the description of a PostgreSQL address quotes values that contain spaces`() throws {
        #expect(try PostgresAddress("application_name='a \\'b' host=db1").description.contains(#"'a \'b'"#))
    }

    @Test func `the error for an unknown keyword in a PostgreSQL address contains the keyword`() {
        let error = #expect(throws: PostgresError.self) { try PostgresAddress("host=db1 hots=db2") }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.contains("\"hots\"") == true)
    }

    @Test(
        arguments: [
            "host=db1 password=se cret", "postgresql://u:secret@[::1", "postgresql://u:sec/ret@db1/spool",
            "postgresql://u:12/secret@db1", "password=secret foo=bar", "postgresql://u:secret@db1/x?foo=secret",
        ])
    func `the error for an invalid PostgreSQL address contains no part of the password`(text: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
        #expect(error?.kind == .badAddress)
        for part in ["secret", "cret", "ret"] { #expect(error?.message.contains(part) == false, "\(error as Any)") }
    }

    @Test(
        arguments: [
            "port=0", "port=65536", "port=x", "host=a,b port=1,2,3", "host=a,b hostaddr=127.0.0.1", "replication=true",
            "client_encoding=LATIN1", "host=a\0b",
        ])
    func `a PostgreSQL address with an invalid or unsupported setting is refused`(text: String) {
        #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    }

    @Test func `the first line of a password file is the PostgreSQL password`() throws {
        let folder = try TemporaryFolder()
        try write("secret\nmore\n", mode: 0o600, to: folder.path("password"))
        let address = try PostgresAddress("host=db1", passwordFile: folder.path("password"))
        #expect(try address.passwords() == [PostgresAddress.Setting(keyword: "password", value: "secret")])
    }

    @Test func `a PostgreSQL password file is refused if other users can read the file`() throws {
        let folder = try TemporaryFolder()
        try write("secret\n", mode: 0o644, to: folder.path("password"))
        let address = try PostgresAddress("host=db1", passwordFile: folder.path("password"))
        let error = #expect(throws: PostgresError.self) { try address.passwords() }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.contains("chmod 600") == true)
    }

    @Test func `a missing or empty PostgreSQL password file is refused`() throws {
        let folder = try TemporaryFolder()
        try write("\n", mode: 0o600, to: folder.path("empty"))
        for name in ["missing", "empty"] {
            let address = try PostgresAddress("host=db1", passwordFile: folder.path(name))
            #expect(throws: PostgresError.self) { try address.passwords() }
        }
    }

    @Test func `a PostgreSQL address with both a password and a password file is refused`() {
        #expect(throws: PostgresError.self) { try PostgresAddress("password=secret", passwordFile: "/tmp/password") }
    }

    @Test func `settings in a PostgreSQL address take precedence over the default settings`() throws {
        let settings = try PostgresAddress("keepalives_idle=9 connect_timeout=7").servers[0]
        let options = PostgresOptions(connectLimit: .seconds(3))
        #expect(options.connectLimit(given: settings) == .seconds(7))
        let added = options.settings(without: settings).map(\.keyword)
        #expect(!added.contains("keepalives_idle"))
        #expect(added.contains("tcp_user_timeout"))
    }

    @Test(
        arguments: [
            ("postgresql://print@db1/spool", true), ("host=10.0.0.1 dbname=spool", true), ("host=::2", true),
            ("host=db1 hostaddr=10.0.0.1", true), ("service=spool", true), ("host=localhost.example", true),
            ("host=db1 sslmode=require", false), ("host=/run/postgresql", false), ("dbname=spool", false),
            ("postgresql://localhost/spool", false), ("host=127.0.0.1", false), ("host=::1", false),
            ("host=db1 hostaddr=127.0.0.1", false),
        ])
    func `a PostgreSQL server on another machine must prove its identity if the address chooses no less`(
        text: String, isVerified: Bool
    ) throws {
        let server = try PostgresAddress(text).servers[0]
        let mode = PostgresOptions().settings(without: server).first { $0.keyword == "sslmode" }?.value
        #expect(mode == (isVerified ? "verify-full" : nil))
    }

    @Test func `the hosts of a PostgreSQL address whose identity is not verified are listed`() throws {
        let servers = "postgresql://db1:5433,localhost,db2/spool?sslmode="
        #expect(try PostgresAddress(servers + "require").unverifiedHosts == ["'db1' port 5433", "'db2'"])
        #expect(try PostgresAddress(servers + "verify-ca").unverifiedHosts.count == 2)
        #expect(try PostgresAddress(servers + "verify-full").unverifiedHosts.isEmpty)
        #expect(try PostgresAddress("host=db1").unverifiedHosts.isEmpty, "the default is verify-full")
        #expect(try PostgresAddress("host=/run/postgresql sslmode=disable").unverifiedHosts.isEmpty)
    }

    private func write(_ content: String, mode: mode_t, to path: String) throws {
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, mode)
    }
}
