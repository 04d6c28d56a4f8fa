// The commands `printq printers share` and `unshare`.

import ArgumentParser
import PrintModel
import PrintqOutput
import SpoolerClient

extension Printers {
    struct Share: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "share",
            abstract: "Publish a printer for phones and computers on the network.",
            discussion: """
                Publishes the printer by DNS-SD (AirPrint, IPP Everywhere) at the addresses of 'printq network'. Clients \
                need a token (see 'printq tokens'). With --anonymous, the clients of the networks in network.anonymous \
                print without a token, and see and change only the jobs from their own address.
                """)
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Option(
            name: .customLong("name"),
            help: ArgumentHelp(
                "The name that clients show, at most 63 bytes (default: the description of the printer).",
                valueName: "text"))
        var serviceName: String?
        @Flag(inversion: .prefixedNo, help: "Admits clients without a token (default: unchanged, at first no).")
        var anonymous: Bool?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            var change = PrinterChange()
            (change.isShared, change.serviceName, change.admitsAnonymous) = (true, serviceName, anonymous)
            try await session.share(name, change, output)
        }
    }

    struct Unshare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unshare",
            abstract: "Stop publishing a printer, and require a token from all clients on the network.")
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            var change = PrinterChange()
            (change.isShared, change.admitsAnonymous) = (false, false)
            try await session.share(name, change, output)
        }
    }
}

extension Session {
    /// Changes the sharing of a printer, and shows the result.
    fileprivate func share(_ name: String, _ change: PrinterChange, _ output: OutputChoice) async throws {
        let name = try PrinterName.checked(name)
        let queue = try spooler
        try await queue.changePrinter(name, change)
        if output.json { return try await printJSON(ofPrinter: name) }
        let printer = try await queue.printer(name, DetailedPrinter.sharingNames)
        let sharing = PrinterDetails.sharing(DetailedPrinter(printer))
        StandardOutput.print("\(name) is \(sharing.isEmpty ? "not shared" : "shared \(sharing)")".printable + "\n")
    }
}
