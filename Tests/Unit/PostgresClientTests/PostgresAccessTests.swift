import FoundationEssentials
import Glibc
import PrintTestSupport
import Testing

@testable import PostgresClient

struct PostgresAccessTests {
    @Test func `a PostgreSQL connection requires the correct password, and its errors contain no password`() throws {
        let server = try PrivatePostgres(password: "correct horse")
        let folder = try TemporaryFolder()
        try "correct horse\n".write(toFile: folder.path("password"), atomically: true, encoding: .utf8)
        chmod(folder.path("password"), 0o600)
        let right = try PostgresAddress(server.uri(), passwordFile: folder.path("password"))
        #expect(try PostgresConnection.connect(to: right).query("SELECT 1")[0].int(0) == 1)

        let wrong = try PostgresAddress(server.uri().replacing("postgres@", with: "postgres:battery@"))
        let refused = postgresError { _ = try PostgresConnection.connect(to: wrong) }
        #expect(refused?.kind == .authentication)
        #expect(refused?.sqlState == "28P01")
        #expect(refused.map { "\($0)".contains("battery") } == false)

        let missing = postgresError {
            _ = try PostgresConnection.connect(to: PostgresAddress(server.uri() + "?passfile=/dev/null"))
        }
        #expect(missing?.kind == .authentication)
    }

    @Test func `a PostgreSQL connection with TLS verifies the certificate of the server`() throws {
        let folder = try TemporaryFolder()
        for name in ["server", "other"] {
            let openssl = try ChildProgram(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                    folder.path("\(name).key"), "-out", folder.path("\(name).crt"),
                ])
            #expect(try openssl.finish().code == 0)
        }
        let server = try PrivatePostgres(
            settings: ["ssl": "on"],
            files: [
                "server.crt": text(of: folder.path("server.crt")), "server.key": text(of: folder.path("server.key")),
            ])
        let uri = "\(server.uri())?sslmode=verify-full&sslrootcert="
        let connection = try PostgresConnection.connect(to: PostgresAddress(uri + folder.path("server.crt")))
        #expect(connection.usesTLS)
        #expect(try connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].bool(0))
        let error = postgresError {
            _ = try PostgresConnection.connect(to: PostgresAddress(uri + folder.path("other.crt")))
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("certificate verify failed") == true)
    }

    @Test func `a PostgreSQL connection sets the application name and the client encoding UTF8`() throws {
        let server = try PrivatePostgres.shared()
        let options = PostgresOptions(applicationName: "printd host-1")
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.uri()), options: options)
        #expect(try connection.query("SHOW application_name")[0].string(0) == "printd host-1")
        #expect(try connection.query("SHOW client_encoding")[0].string(0) == "UTF8")
        #expect(!connection.usesTLS)
    }
}
