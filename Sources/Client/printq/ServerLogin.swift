// The commands `printq login` and `printq logout`, for a printd on the network.

import ArgumentParser
import Glibc
import PrintIPP
import PrintqOutput
import SpoolerClient

struct LogIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Store the login for a print server on the network.",
        discussion: """
            Afterwards, 'printq --server ipps://HOST:PORT' and PRINTQ_SERVER use the server. The password, the secret of \
            a token, or a token of OpenID Connect is read without echo, or from the first line of standard input. If no authority of this \
            system has signed the server's certificate, its fingerprint is shown, and the key is trusted from then on; \
            compare the fingerprint with 'printq doctor' on the server. A later change of the key is refused until \
            the next login. The file ~/.config/printq/servers.json is readable only by you.

              printq login ipps://print.example.com:8632 --user anna
            """)
    @Argument(help: ArgumentHelp("The address of the server.", valueName: "ipps://host:port"))
    var address: String
    @Option(help: "The user name at the server (default: your user name; any name for a token).")
    var user: String?
    @Option(
        help: ArgumentHelp(
            "The SHA-256 fingerprint that the certificate must have; otherwise, nothing is stored.", valueName: "digits"
        ))
    var fingerprint: String?
    @OptionGroup var output: OutputChoice

    func run() async throws {
        let server = try ServerAddress(address)
        let user = user ?? UserAccounts.name(of: getuid())
        guard !user.isEmpty, !user.contains(":") else {
            throw SpoolerClientError(
                .usage, "invalid user name '\(user.printable)': must not be empty or contain a colon")
        }
        let certificate = try ServerCertificate.presented(by: server)
        try check(certificate, of: server)
        let logins = try ServerLogins.current()
        if let certificate {
            let isKnown = try logins.login(at: server)?.key == certificate.key
            StandardOutput.complain(
                "\(isKnown ? "the certificate of" : "trusting the certificate of") \(server.description.printable) with the "
                    + "SHA-256 fingerprint \(certificate.fingerprint)")
        }
        let secret = try Password.read(
            prompt: "Password of \(user.printable) at \(server.description.printable): ", longest: 8192)
        let login = ServerLogin(server: server, user: user, secret: secret, key: certificate?.key)
        // Any request that requires credentials.
        _ = try await Spooler(at: server, login: login).ask(
            .getJobs, attributes: [], requested: ["job-id"])
        try logins.store(login)
        if output.json {
            return StandardOutput.print(
                .object([
                    ("server", .string(login.server)), ("user", .string(user)),
                    ("fingerprint", certificate.map { .string($0.fingerprint) } ?? .null),
                ]))
        }
        StandardOutput.print("logged in to \(login.server.printable) as \(user.printable)\n")
    }

    private func check(_ certificate: ServerCertificate?, of server: ServerAddress) throws(SpoolerClientError) {
        guard let fingerprint else { return }
        func digits(_ text: String) -> String { text.filter { $0 != ":" }.uppercased() }
        guard let certificate, digits(certificate.fingerprint) == digits(fingerprint) else {
            throw SpoolerClientError(
                .noPermission,
                "\(server.description.printable) has another certificate: "
                    + (certificate.map { "its fingerprint is \($0.fingerprint)" } ?? "an authority has signed it"))
        }
    }
}

struct LogOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Delete the login for a print server on the network.")
    @Argument(help: ArgumentHelp("The address of the server.", valueName: "ipps://host:port"))
    var address: String
    @OptionGroup var output: OutputChoice

    func run() async throws {
        let server = try ServerAddress(address)
        guard try ServerLogins.current().remove(server) else {
            throw SpoolerClientError(.usage, "there is no login for \(server.description.printable)")
        }
        if output.json { return StandardOutput.print(.object([("server", .string(server.description))])) }
        StandardOutput.print("deleted the login for \(server.description.printable)\n")
    }
}
