// printq printers login, logout and trust.

import ArgumentParser
import Glibc
import PrintqOutput
import SpoolerClient

extension Printers {
    struct Login: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say who the spooler is at a printer that asks for a name and a password.",
            discussion: """
                The password is asked for on the terminal, without showing it; when standard input is no terminal, it is \
                the first line of that. printd keeps it in the spool, in a file that only its owner may read, and tries \
                the jobs that waited for it at once. Only an administrator may do this. At a printer of ipp: that does not speak \
                TLS, others on the network may read the password; prefer ipps:.
                """)
        @Argument(help: "The printer.")
        var name: String
        @Option(help: "The user's name at the printer (default: your own).")
        var user: String?
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            let queue = try session.spooler
            let user = user ?? queue.user
            guard !user.isEmpty, !user.contains(":") else {
                throw SpoolerClientError(.usage, "a user's name is not empty and has no colon in it")
            }
            let password = try Password.read(prompt: "Password of \(user.printable) at \(name): ")
            try await queue.logIn(user, password: password, at: name)
            StandardOutput.print("\(name) is told that it is \(user.printable) who prints\n")
        }
    }

    struct Logout: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget the name and the password for a printer.")
        @Argument(help: "The printer.")
        var name: String
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            try await session.spooler.logIn("", password: "", at: name)
            StandardOutput.print("\(name) is told no name any more\n")
        }
    }

    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept the new certificate of a printer, or that it has TLS no longer.",
            discussion: """
                A printer's certificate is kept when it is seen first (ipps, or ipp where the printer wants TLS). When it \
                shows another one, nothing is sent to it, and 'printq why' says so: somebody else may have taken its \
                place. Compare the SHA-256 that is said there with the printer's own before you accept it. When a printer \
                that had TLS asks for the password without it, the password is not sent until you accept that too.
                """)
        @Argument(help: "The printer.")
        var name: String
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            try await session.spooler.trustCertificate(of: name)
            StandardOutput.print("\(name) is trusted as it is now\n")
        }
    }
}

/// Reads a password.
private enum Password {
    /// The longest, in bytes, that IPP carries.
    private static let longest = 1023
    nonisolated(unsafe) private static var settings = termios()

    /// Asks for it on the terminal, without showing what is typed; without a terminal, reads the first line.
    static func read(prompt: String) throws(SpoolerClientError) -> String {
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return try line() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Whoever gives up with ^C gets the terminal back as it was.
        signal(SIGINT) { _ in
            tcsetattr(STDIN_FILENO, TCSANOW, &Password.settings)
            _exit(130)
        }
        // Silent first: whoever is quick would see what is typed, and lose it.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        StandardOutput.show(prompt)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            signal(SIGINT, SIG_DFL)
            StandardOutput.show("\n")
        }
        return try line()
    }

    private static func line() throws(SpoolerClientError) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n"), bytes.count <= longest {
            bytes.append(byte)
        }
        guard !bytes.isEmpty, bytes.count <= longest, let password = String(validating: bytes, as: UTF8.self) else {
            throw SpoolerClientError(.usage, "the password is empty, longer than \(longest) bytes, or not UTF-8")
        }
        return password
    }
}
