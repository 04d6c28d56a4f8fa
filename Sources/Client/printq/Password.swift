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
        guard password || passwordFile != nil else { return nil }
        return try Password.read(
            prompt: "Password of the document: ", file: passwordFile, longest: InputDocument.longestPassword,
            isInputTaken: isInputTaken, else: "give the password with '--password-file FILE'")
    }
}

/// The options for the PIN of a job.
struct PinChoice: ParsableArguments {
    @Flag(
        help: """
            Prompts for the PIN that releases the job, 4 to 8 digits. Without a terminal, the PIN is the first line of \
            standard input.
            """)
    var pin = false
    @Option(
        help: ArgumentHelp("A file whose first line is the PIN; '-' is standard input.", valueName: "file"),
        completion: .file())
    var pinFile: String?

    func validate() throws {
        guard !pin || pinFile == nil else {
            throw ValidationError("--pin and --pin-file exclude each other; give one of them")
        }
    }

    /// Reads the PIN; nil without the options.
    ///
    /// - Parameter isInputTaken: Whether standard input is a document. The PIN is then read from the terminal.
    func read(isInputTaken: Bool = false) throws(SpoolerClientError) -> String? {
        guard pin || pinFile != nil else { return nil }
        return try Self.read(file: pinFile, isInputTaken: isInputTaken)
    }

    /// Reads a PIN from a file, or from the terminal or standard input.
    static func read(file: String? = nil, isInputTaken: Bool = false) throws(SpoolerClientError) -> String {
        try checked(
            Password.read(
                prompt: "PIN: ", file: file, longest: 100, isInputTaken: isInputTaken,
                else: "give the PIN with '--pin-file FILE'"))
    }

    /// Returns a valid PIN.
    ///
    /// - Throws: An error that does not contain the PIN.
    static func checked(_ pin: String) throws(SpoolerClientError) -> String {
        guard JobPassword(pin: pin) != nil else {
            let lengths = JobPassword.lengths
            throw SpoolerClientError(
                .usage, "invalid PIN: must have \(lengths.lowerBound) to \(lengths.upperBound) digits")
        }
        return pin
    }
}

/// A namespace for the functions that read a password.
enum Password {
    nonisolated(unsafe) private static var terminal = (descriptor: STDIN_FILENO, settings: termios())
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Reads a password from a file; without a file from the terminal or standard input.
    ///
    /// - Parameters:
    ///   - file: The path of the file; `-` is standard input.
    ///   - isInputTaken: Whether standard input is a document. The password is then read from the terminal.
    ///   - advice: What the user can do if no password can be read, for the error message.
    static func read(
        prompt: String, file: String?, longest: Int, isInputTaken: Bool, else advice: String
    ) throws(SpoolerClientError) -> String {
        let isTaken = SpoolerClientError(.usage, "standard input is a document; \(advice)")
        if file == nil, !isInputTaken { return try read(prompt: prompt, longest: longest) }
        let path = file ?? "/dev/tty"
        if path == "-" {
            guard !isInputTaken else { throw isTaken }
            return try line(STDIN_FILENO, longest: longest)
        }
        let opened = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        let descriptor = opened < 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : opened
        guard descriptor >= 0 else {
            if file == nil { throw isTaken }
            throw SpoolerClientError(.noInput, "cannot open '\(path.printable)': \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try read(prompt: prompt, from: descriptor, longest: longest)
    }

    /// Reads the password.
    ///
    /// On a terminal, the function shows a prompt, and turns off the echo during the input. Without a terminal, the
    /// function reads the first line.
    ///
    /// - Parameter longest: The maximum length of the password in bytes.
    static func read(
        prompt: String, from descriptor: Int32 = STDIN_FILENO, longest: Int
    ) throws(SpoolerClientError) -> String {
        let password = try silently(descriptor) { () throws(SpoolerClientError) in
            try line(prompt, descriptor, longest: longest)
        }
        if let password { return password }
        return try line(descriptor, longest: longest)
    }

    /// Reads a new password: on a terminal twice, because nobody sees a typing error; otherwise the first line.
    ///
    /// - Parameter longest: The maximum length of the password in bytes.
    static func readNew(prompt: String, longest: Int) throws(SpoolerClientError) -> String {
        let typed = try silently(STDIN_FILENO) { () throws(SpoolerClientError) in
            let password = try line(prompt, STDIN_FILENO, longest: longest)
            guard try line("The same password again: ", STDIN_FILENO, longest: longest) == password else {
                throw SpoolerClientError(.usage, "the two passwords differ; run the command again")
            }
            return password
        }
        if let typed { return typed }
        return try line(STDIN_FILENO, longest: longest)
    }

    /// Shows a prompt, and reads a line that the terminal does not echo.
    private static func line(
        _ prompt: String, _ descriptor: Int32, longest: Int
    ) throws(SpoolerClientError) -> String {
        StandardOutput.show(prompt)
        defer { StandardOutput.show("\n") }
        return try line(descriptor, longest: longest)
    }

    /// Calls a function while the terminal does not echo its input; returns nil without a call if the descriptor is no
    /// terminal.
    private static func silently(
        _ descriptor: Int32, _ read: () throws(SpoolerClientError) -> String
    ) throws(SpoolerClientError) -> String? {
        terminal.descriptor = descriptor
        guard isatty(descriptor) == 1, tcgetattr(descriptor, &terminal.settings) == 0 else { return nil }
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
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &terminal.settings)
            for number in signals { signal(number, SIG_DFL) }
        }
        return try read()
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
