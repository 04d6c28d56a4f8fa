// The commands `printq printers login`, `logout` and `trust`.

import ArgumentParser
import PrintqOutput
import PrintModel
import SpoolerClient

extension Printers {
    struct Login: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Store the credentials for a printer.",
            discussion: """
                On a terminal, the command prompts for the password and does not echo it. Otherwise the password is \
                the first line of standard input. printd stores the password in a file of the spool that only \
                the file's owner can read. Then printd immediately retries the jobs that were waiting for the \
                password. Only administrators can run the command. With an ipp: URI and no TLS, the password can be \
                read on the network; prefer ipps:.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Option(help: "The user name at the printer (default: your user name).")
        var user: String?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            let queue = try session.spooler
            let user = user ?? queue.user
            guard !user.isEmpty, !user.contains(":") else {
                throw SpoolerClientError(
                    .usage,
                    "invalid user name '\(user.printable)': must not be empty or contain a colon")
            }
            let password = try Password.read(prompt: "Password of \(user.printable) at \(name): ", longest: 1023)
            var change = PrinterChange()
            (change.deviceUser, change.devicePassword) = (user, password)
            try await queue.changePrinter(name, change)
            if output.json { return try await session.printJSON(ofPrinter: name) }
            StandardOutput.print("saved the login of \(user.printable) for \(name)\n")
        }
    }

    struct Logout: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout",
            abstract: "Delete the credentials for a printer.")
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            var change = PrinterChange()
            change.deviceUser = ""
            try await session.spooler.changePrinter(name, change)
            if output.json { return try await session.printJSON(ofPrinter: name) }
            StandardOutput.print("deleted the login for \(name)\n")
        }
    }

    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust",
            abstract: "Trust a printer's new certificate, or its connection without TLS.",
            discussion: """
                printd stores the certificate that a printer presents first (ipps:, or ipp: when the printer requires \
                TLS). If the printer presents a different certificate, printd sends nothing to the printer, because \
                another device may have taken the printer's address; 'printq why' shows the new certificate's \
                SHA-256 fingerprint. Compare this fingerprint with the printer's own fingerprint first. If a printer \
                that used TLS asks for the password without TLS, printd sends no password until you run this command.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try PrinterName.checked(name)
            var change = PrinterChange()
            change.trustsCertificate = true
            try await session.spooler.changePrinter(name, change)
            if output.json { return try await session.printJSON(ofPrinter: name) }
            StandardOutput.print("\(name) is trusted now\n")
        }
    }
}
