// Standard output and standard error.

import Glibc
import PrintqOutput
import SpoolerClient

/// Where what printq says goes.
enum StandardOutput {
    /// The columns of standard output; nil when it is no terminal.
    static var width: Int? { width(of: STDOUT_FILENO) }

    /// The columns of standard error; nil when it is no terminal.
    static var progressWidth: Int? { width(of: STDERR_FILENO) }

    /// Whether headings may be bold: on a terminal that has not asked for plain text (no-color.org).
    static var isStyled: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Writes to standard output; a reader that has gone away ends the program quietly.
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes to standard error as it is.
    static func show(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes a sentence to standard error.
    static func complain(_ message: String) { show("printq: \(message)\n") }

    /// Writes a table to standard output, or a sentence when it is empty.
    static func print(_ table: TextTable, whenEmpty: String) {
        print(table.isEmpty ? whenEmpty + "\n" : table.text(width: width, bold: isStyled))
    }

    /// Writes one of several tables that are shown as one to standard output.
    ///
    /// - Parameter widths: the widths of the columns so far; nil for the first table.
    static func print(_ table: TextTable, following widths: inout [Int]?) {
        print(table.text(following: &widths, width: width, bold: isStyled))
    }

    /// Writes a value to standard output.
    static func print(_ json: JSONText) { print(json.text + "\n") }

    private static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let code = errno
                if descriptor == STDOUT_FILENO, code != EPIPE {
                    complain("standard output cannot be written: \(String(cString: strerror(code)))")
                }
                if descriptor == STDOUT_FILENO { exit(SpoolerClientError.Code.output.exitCode) }
                return
            }
        }
    }
}
