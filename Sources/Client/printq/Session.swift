// The options that every command has, and the way to the queue.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPPClient
import PrintqOutput
import PrintModel
import SpoolerClient

/// Which spool a command is about.
struct Session: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of the spool (default: PRINTQ_SPOOL, else printq's own).", valueName: "folder"))
    var spool: String?

    /// The spool.
    var place: SpoolLocation {
        get throws(SpoolerClientError) {
            try SpoolLocation.current(named: spool)
        }
    }

    /// The spool's daemon.
    var daemon: DaemonLauncher {
        get throws(SpoolerClientError) { DaemonLauncher(place: try place, program: DaemonLauncher.program()) }
    }

    /// The spool's queue; printd is started when nobody answers there.
    var queue: Spooler {
        get throws(SpoolerClientError) {
            IPPClient.useOneThread()
            return Spooler(at: try place, onStart: Self.note)
        }
    }

    /// Says where a printd that was started here can be reached: to a person always, else only when something is amiss.
    private static func note(_ start: DaemonLauncher.Start) {
        if start.problem != nil || StandardOutput.progressWidth != nil { StandardOutput.complain(start.words) }
    }

    /// The moment, in seconds since 1970.
    static var now: UnixTime { UnixTime(time(nil)) }
}

/// The printer a command is about.
struct PrinterChoice: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customShort("P"), .long],
        help: ArgumentHelp("The printer (see 'printq printers').", valueName: "name"))
    var printer: String?

    /// The printer's name; nil for the default one, or for all.
    var name: String? {
        get throws(SpoolerClientError) { try printer.map(PrinterName.checked) }
    }
}

/// Names of printers.
enum PrinterName {
    /// The name, if it can be one of a printer.
    static func checked(_ name: String) throws(SpoolerClientError) -> String {
        guard ConfiguredPrinter.isValidName(name) else {
            throw SpoolerClientError(.usage, "there is no printer '\(name.printable)'; see 'printq printers'")
        }
        return name
    }
}

/// A job's number, also as `lp` writes it: `12`, `color-laser-12`.
struct JobID: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let last = argument.split(separator: "-", omittingEmptySubsequences: false).last,
            last.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int32(last), number > 0
        else { return nil }
        self.number = Int(number)
    }
}

/// Whether a program reads the output.
struct OutputChoice: ParsableArguments {
    @Flag(help: "Write JSON, with IPP's names.")
    var json = false
}
