// Connects to a spool, or to a server on the network.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import IPPClient
import PrintIPP

extension SpoolLocation {
    /// Returns the spool that the command line and the environment of this process select.
    ///
    /// - Parameter named: The folder from the command line; nil if the command line does not specify a folder.
    package static func current(named: String? = nil) throws(SpoolerClientError) -> SpoolLocation {
        try SpoolLocation(
            named: named, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath)
    }

    /// Returns the private spool, even if there is a system spooler.
    ///
    /// - Parameter named: The folder from the command line; nil means the value of `PRINTQ_SPOOL`, or the default
    ///   folder if the variable is not set.
    package static func privatePlace(named: String?) throws(SpoolerClientError) -> SpoolLocation {
        try SpoolLocation(
            named: named, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath,
            exists: { _ in false })
    }

    /// Another spool in which a user could have jobs that this spool does not show; nil if there is no other spool.
    package var other: SpoolLocation? { other(environment: Self.environment) }

    /// The environment variables that affect the choice of the spool, with their values in this process.
    private static var environment: [String: String] {
        var environment: [String: String] = [:]
        for name in ["PRINTQ_SPOOL", "PRINTQ_SYSTEM_SOCKET", "XDG_STATE_HOME", "HOME"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return environment
    }
}

extension Spooler {
    /// Connects to the queue that `printq` uses without options: `PRINTQ_SERVER`, otherwise `PRINTQ_SPOOL`, otherwise a
    /// server in `CUPS_SERVER` at which the user has logged in, otherwise the system spooler, otherwise the private
    /// spool of the user.
    ///
    /// The initializer sends no request. The first request starts the `printd` of a private spool if it does not run. The
    /// program `printd` is searched in the folder of the running program, then in `PATH`.
    ///
    /// - Parameter onNotice: The function that is called with a sentence for the user when the private spool replaces a
    ///   system spooler that does not run, after `printd` was started, and when the start takes long.
    /// - Throws: `SpoolerClientError`: `usage` for an invalid address, or if neither `HOME` nor `XDG_STATE_HOME`
    ///   determines a spool; `noInput` or `noPermission` if the stored logins cannot be read.
    public init(onNotice: @escaping @Sendable (String) -> Void = { _ in }) throws(SpoolerClientError) {
        if let server = try ServerAddress.current() {
            try self.init(loggedInAt: server)
        } else {
            self.init(at: try .current(), onNotice: onNotice)
        }
    }

    /// Connects to the spool in a folder, as `printq --spool` does; `/var/spool/printq` is the system spooler.
    ///
    /// - Parameters:
    ///   - spool: The path of the folder, which `printd` creates if it does not exist.
    ///   - onNotice: The function that is called with a sentence for the user after `printd` was started, and when the
    ///     start takes long.
    /// - Throws: `SpoolerClientError` with `usage` for an empty path, or a path that is too long for a socket.
    public init(
        spool: String, onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SpoolerClientError) {
        self.init(at: try .current(named: spool), onNotice: onNotice)
    }

    /// Connects to a server on the network, with the login that `printq login` has stored, if there is one.
    ///
    /// - Parameter server: The address `ipps://HOST[:PORT]`. The default port is 631.
    /// - Throws: `SpoolerClientError`: `usage` for an invalid address; `noInput` or `noPermission` if the stored logins
    ///   cannot be read.
    public init(server: String) throws(SpoolerClientError) {
        try self.init(loggedInAt: try ServerAddress(server))
    }

    /// Connects to a server on the network with credentials, which are sent over TLS.
    ///
    /// - Parameters:
    ///   - server: The address `ipps://HOST[:PORT]`. The default port is 631.
    ///   - user: The name of the user at the server.
    ///   - secret: The password of the user, the secret of a token, or a token of OpenID Connect.
    ///   - key: The SHA-256 hash of the server's public key, in hexadecimal digits; nil if an authority of this system
    ///     has signed the certificate of the server.
    /// - Throws: `SpoolerClientError` with `usage` for an invalid address.
    public init(server: String, user: String, secret: String, key: String? = nil) throws(SpoolerClientError) {
        let address = try ServerAddress(server)
        self.init(at: address, login: ServerLogin(server: address, user: user, secret: secret, key: key))
    }

    private init(loggedInAt server: ServerAddress) throws(SpoolerClientError) {
        self.init(at: server, login: try ServerLogins.current().login(at: server))
    }

    private init(at place: SpoolLocation, onNotice: @escaping @Sendable (String) -> Void) {
        if let note = place.replacementNote { onNotice(note) }
        self.init(at: place, onStart: { onNotice($0.text) }, onWait: onNotice)
    }

    /// Connects to a spool as the current user.
    ///
    /// The client starts printd if printd is not running. Only systemd starts the printd of the system spooler.
    ///
    /// - Parameters:
    ///   - onStart: The function that is called after the client has started printd.
    ///   - onWait: The function that is called with an explanation when the start takes a long time.
    package init(
        at place: SpoolLocation, onStart: @escaping @Sendable (DaemonLauncher.Start) -> Void = { _ in },
        onWait: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(at: place, client: UnixSocketClient(path: place.socket), user: UserAccounts.name(of: getuid())) {
            () async throws(SpoolerClientError) in
            let launcher = DaemonLauncher(
                place: place, program: DaemonLauncher.program(), onStart: onStart, onWait: onWait)
            try await BlockingThreads.shared.run { () throws(SpoolerClientError) in try launcher.start() }
        }
    }
}
