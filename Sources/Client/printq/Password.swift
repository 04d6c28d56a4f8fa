// Reads passwords, which no argument contains: other users can read the arguments of a process.

import ArgumentParser
import Glibc
import PrintModel
import SpoolerClient

/// The options for the password of encrypted documents.
struct PasswordChoice: ParsableArguments {
    @Flag(
        help: """
            Prompts for the password of encrypted documents. Without a terminal, the password is the first line of \
            standard input.
            """)
    var password = false
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password of encrypted documents; '-' is standard input.",
            valueName: "file"), completion: .file())
    var passwordFile: String?

    func validate() throws {
        guard !password || passwordFile == nil else {
            throw ValidationError("--password and --password-file exclude each other; give one of them")
        }
    }

    /// Reads the password; nil without the options.
    ///
    /// - Parameter isInputTaken: Whether standard input is a document. The password is then read from the terminal.
    func read(isInputTaken: Bool) throws(SpoolerClientError) -> String? {
        let longest = InputDocument.longestPassword
        let prompt = "Password of the document: "
        if password, !isInputTaken { return try Password.read(prompt: prompt, longest: longest) }
        guard password || passwordFile != nil else { return nil }
        let path = passwordFile ?? "/dev/tty"
        if path == "-" {
            guard !isInputTaken else { throw Self.isTaken }
            return try Password.line(STDIN_FILENO, longest: longest)
        }
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        let descriptor = file < 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : file
        guard descriptor >= 0 else {
            if passwordFile == nil { throw Self.isTaken }
            throw SpoolerClientError(.noInput, "cannot open '\(path.printable)': \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try Password.read(prompt: prompt, from: descriptor, longest: longest)
    }

    private static let isTaken = SpoolerClientError(
        .usage, "standard input is a document; give the password with '--password-file FILE'")
}

/// A namespace for the functions that read a password.
enum Password {
    nonisolated(unsafe) private static var terminal = (descriptor: STDIN_FILENO, settings: termios())
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Reads the password.
    ///
    /// On a terminal, the function shows a prompt, and turns off the echo during the input. Without a terminal, the
    /// function reads the first line.
    ///
    /// - Parameter longest: The maximum length of the password in bytes.
    static func read(
        prompt: String, from descriptor: Int32 = STDIN_FILENO, longest: Int
    ) throws(SpoolerClientError) -> String {
        terminal.descriptor = descriptor
        guard isatty(descriptor) == 1, tcgetattr(descriptor, &terminal.settings) == 0 else {
            return try line(descriptor, longest: longest)
        }
        var silent = terminal.settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Restores the terminal after ^C or another signal that ends programs.
        for number in signals {
            signal(number) { number in
                tcsetattr(Password.terminal.descriptor, TCSANOW, &Password.terminal.settings)
                _exit(128 + number)
            }
        }
        // Disables the echo before the prompt, so that a fast typist's input is neither shown nor lost.
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        StandardOutput.show(prompt)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &terminal.settings)
            for number in signals { signal(number, SIG_DFL) }
            StandardOutput.show("\n")
        }
        return try line(descriptor, longest: longest)
    }

    /// Reads the password in the first line of a file, byte by byte, so that the rest of the file can be read later.
    static func line(_ descriptor: Int32, longest: Int) throws(SpoolerClientError) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n"), bytes.count <= longest {
            bytes.append(byte)
        }
        guard !bytes.isEmpty, bytes.count <= longest, !bytes.contains(0),
            let password = String(validating: bytes, as: UTF8.self)
        else {
            throw SpoolerClientError(.usage, "invalid password: must have 1 to \(longest) bytes of UTF-8")
        }
        return password
    }
}
