// Tests passwords of the machine's accounts, with accounts that exist only in a mount namespace of the test.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

/// A copy of `/etc` with accounts of a test.
enum TestAccountsOfMachine {
    /// The reason why the accounts cannot be made; nil if they can.
    static let obstacle: Comment? = {
        if geteuid() != 0 { return "only root can create accounts" }
        for name in ["useradd", "chpasswd", "systemd-socket-activate", "setpriv", "python3"] {
            let found = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
            if !found { return "\(name) is not installed" }
        }
        let isPossible = (try? ChildProgram("unshare", ["--mount", "--net", "true"]).finish().code) == 0
        return isPossible ? nil : "this machine allows no mount namespace"
    }()

    /// The commands that make the copy in a folder, and mount it over `/etc` in the namespace of the shell.
    ///
    /// Carol has a password; Dora's account has expired; Eve's password is locked; root has a password.
    static func commands(in folder: String) -> String {
        let service = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "scripts/packaging/pam/printq").path
        return """
            export PATH=$PATH:/sbin:/usr/sbin
            cp -a /etc \(folder)/etc && cp \(service) \(folder)/etc/pam.d/printq && mount --bind \(folder)/etc /etc &&
            useradd -M carol && useradd -M -e 1970-01-02 dora && useradd -M eve &&
            printf '%s:correct horse\\n' carol dora eve root | chpasswd && usermod -L eve

            """
    }
}

@Suite(
    .enabled(
        if: TestAccountsOfMachine.obstacle == nil,
        TestAccountsOfMachine.obstacle ?? "the accounts of the test can be made"))
struct AuthenticatorTests {
    private let folder: TemporaryFolder
    private let program = Programs.beside("print-authenticator")

    init() throws { folder = try TemporaryFolder() }

    /// Returns the exit code and the output of the program for a request on standard input.
    private func ask(_ request: String) async throws -> (code: Int32, output: String) {
        let input = folder.path("request")
        try request.write(toFile: input, atomically: true, encoding: .utf8)
        try? FileManager.default.removeItem(atPath: folder.path("etc"))
        let run = try await ProgramRun(
            "/usr/bin/unshare",
            [
                "--mount", "sh", "-ec",
                "\(TestAccountsOfMachine.commands(in: folder.path))exec \(program) < \(input)",
            ], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
        return (run.code, run.output)
    }

    @Test(arguments: [
        ("carol", "correct horse", Int32(0), "yes\n"), ("carol", "wrong horse", 1, "no\n"),
        ("Carol", "correct horse", 1, "no\n"), ("nobody-here", "correct horse", 1, "no\n"),
        ("dora", "correct horse", 1, "no\n"), ("eve", "correct horse", 1, "no\n"), ("root", "correct horse", 1, "no\n"),
    ])
    func `only the exact name and the password of an account that may log in are accepted`(
        name: String, password: String, code: Int32, answer: String
    ) async throws {
        let run = try await ask("\(name)\0\(password)\0192.0.2.7\0")
        #expect(run.code == code && run.output == answer)
    }

    @Test(arguments: [
        "", "carol", "carol\0correct horse\0", "carol\0correct horse\0192.0.2.7", "\0correct horse\0192.0.2.7\0",
        "carol\0\0192.0.2.7\0", "ca rol\0correct horse\0192.0.2.7\0", "carol\0correct horse\0192.0.2.7\0more",
        "carol\0" + String(repeating: "x", count: 1024) + "\0192.0.2.7\0",
    ])
    func `a request that is incomplete, invalid or too long gets no answer`(request: String) async throws {
        let run = try await ask(request)
        #expect(run.code == 65 && run.output.isEmpty)
    }

    @Test func `on the socket, only the user of printd and root get an answer`() async throws {
        let socket = folder.path("authenticator.sock")
        let script = folder.path("ask.py")
        try """
        import socket, sys
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(sys.argv[1])
        try:
            connection.sendall(b"carol\\x00" + sys.argv[2].encode() + b"\\x00192.0.2.7\\x00")
            print(connection.recv(100).decode(), end="")
        except (BrokenPipeError, ConnectionResetError):
            pass
        """.write(toFile: script, atomically: true, encoding: .utf8)
        chmod(folder.path, 0o755)
        let listener = try ChildProgram(
            "unshare",
            [
                "--mount", "sh", "-ec",
                TestAccountsOfMachine.commands(in: folder.path)
                    + "exec systemd-socket-activate --accept --inetd --listen=\(socket) \(program) --client nobody",
            ])
        try await eventually("systemd listens") { access(socket, F_OK) == 0 }
        chmod(socket, 0o777)
        for (user, password, answer) in [
            ("nobody", "correct horse", "yes\n"), ("nobody", "wrong horse", "no\n"), ("root", "correct horse", "yes\n"),
            ("daemon", "correct horse", ""),
        ] {
            let run = try await ProgramRun(
                "/usr/bin/setpriv",
                ["--reuid=\(user)", "--regid=65534", "--clear-groups", "/usr/bin/python3", script, socket, password],
                environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
            #expect(run.output == answer, "\(user): \(run)")
        }
        listener.terminate()
        try listener.finish()
    }
}
