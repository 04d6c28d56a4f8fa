// The options that every command has, and the connection to the spooler.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput
import PrintModel
import SpoolerClient
import Synchronization

/// The options that choose the spool of a command.
protocol SpoolChoice {
    /// The folder of the spool; nil for the default spool.
    var spool: String? { get }
    /// The server on the network; nil for the server of the environment, or the spool.
    var server: String? { get }
}

/// The spool that a command uses.
struct Session: ParsableArguments, SpoolChoice {
    @Option(help: .spool, completion: .directory)
    var spool: String?
    @Option(help: .server)
    var server: String?

    /// The wall-clock time, in seconds since 1970.
    static var now: UnixTime { UnixTime(time(nil)) }

    /// Whether the program has already shown the note about the system spooler.
    fileprivate static let hasNoted = Atomic(false)

    /// Shows the addresses of a printd that printq has started.
    ///
    /// If standard error is not a terminal, the method shows the addresses only in two cases: printd reports a problem,
    /// or the private spool replaces the system spooler.
    fileprivate static func note(_ start: DaemonLauncher.Start, at place: SpoolLocation) {
        if start.problem != nil || place.replacesSystem || StandardOutput.progressWidth != nil {
            StandardOutput.complain(start.text)
        }
    }
}

/// The spool that a command uses, and the format of its output.
///
/// The parser needs 0.2 ms for the type of each group of options. Therefore the most frequent commands have one group.
struct ReportChoice: ParsableArguments, SpoolChoice {
    @Flag(help: .json)
    var json = false
    @Option(help: .spool, completion: .directory)
    var spool: String?
    @Option(help: .server)
    var server: String?
}

/// The spool that a command uses, and the form of its lists.
struct ListChoice: ParsableArguments, SpoolChoice {
    @Flag(help: .absolute)
    var absolute = false
    @Option(help: .color)
    var color = ColorUse.auto
    @Flag(help: .json)
    var json = false
    @Option(help: .spool, completion: .directory)
    var spool: String?
    @Option(help: .server)
    var server: String?
}

extension ArgumentHelp {
    fileprivate static var spool: ArgumentHelp {
        ArgumentHelp(
            "The folder of the spool (default: $PRINTQ_SPOOL, else the system spooler, else your private spool).",
            valueName: "folder")
    }

    fileprivate static var server: ArgumentHelp {
        ArgumentHelp(
            "A server on the network, in place of a spool (default: $PRINTQ_SERVER); see 'printq login'.",
            valueName: "ipps://host:port")
    }

    fileprivate static var json: ArgumentHelp { "Writes JSON with IPP names." }
}

extension SpoolChoice {
    /// The server on the network that the command uses; nil if it uses a spool of this machine.
    var remote: ServerAddress? {
        get throws(SpoolerClientError) {
            if let server {
                guard spool == nil else {
                    throw SpoolerClientError(.usage, "--server and --spool exclude each other; give one of them")
                }
                return try ServerAddress(server)
            }
            return spool == nil ? try ServerAddress.current() : nil
        }
    }

    var place: SpoolLocation {
        get throws(SpoolerClientError) {
            if let remote = try remote {
                throw SpoolerClientError(
                    .usage,
                    "this command works only on the machine of the server; run it there instead of with "
                        + "\(remote.description.printable)")
            }
            return try SpoolLocation.current(named: spool)
        }
    }

    var daemon: DaemonLauncher {
        get throws(SpoolerClientError) {
            DaemonLauncher(
                place: try place, program: DaemonLauncher.program(), onWait: { StandardOutput.complain($0) })
        }
    }

    /// The client for the spool's printd, or for the server on the network.
    ///
    /// The first request to a spool starts printd if no process is listening on the spool's socket.
    var spooler: Spooler {
        get throws(SpoolerClientError) {
            if let remote = try remote {
                return Spooler(at: remote, login: try ServerLogins.current().login(at: remote))
            }
            let place = try place
            if let note = place.replacementNote, !Session.hasNoted.exchange(true, ordering: .relaxed) {
                StandardOutput.complain(note)
            }
            return Spooler(
                at: place, onStart: { Session.note($0, at: place) }, onWait: { StandardOutput.complain($0) })
        }
    }
}

/// The printer that a command uses.
struct PrinterChoice: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customShort("P"), .long],
        help: ArgumentHelp("The printer (see 'printq printers').", valueName: "name"), completion: .printers)
    var printer: String?

    /// The name of the printer; nil means the default printer or all printers.
    var name: String? {
        get throws(SpoolerClientError) { try printer.map(PrinterName.checked) }
    }
}

/// A namespace for the check of printer names on the command line.
enum PrinterName {
    /// Returns the given name.
    ///
    /// The function throws an error if the name is not a valid printer name.
    static func checked(_ name: String) throws(SpoolerClientError) -> String {
        guard ConfiguredPrinter.isValidName(name) else {
            throw SpoolerClientError(.usage, "there is no printer '\(name.printable)'; see 'printq printers'")
        }
        return name
    }
}

/// A job number on the command line: `12`, or `color-laser-12` in the notation of `lp`.
struct JobID: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .unfinishedJobs }

    let number: Int

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard let last = parts.last, last.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int32(last),
            number > 0
        else { return nil }
        self.number = Int(number)
        guard parts.count > 1 else { return }
        // Ranges and dates, such as 10-12 and 2030-01-31, are not the notation of lp.
        let printer = parts.dropLast().joined(separator: "-")
        guard printer.contains(where: \.isLetter), ConfiguredPrinter.isValidName(printer) else { return nil }
    }
}

/// The option that chooses the format of the output.
struct OutputChoice: ParsableArguments {
    @Flag(help: .json)
    var json = false
}
