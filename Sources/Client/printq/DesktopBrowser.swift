// Opens an address in the browser of the user's desktop, and shows messages on the desktop.

import FoundationEssentials
import Glibc
import ProcessLaunch

/// The browser of the user's desktop.
enum DesktopBrowser {
    /// Opens an address with `xdg-open`.
    ///
    /// This function does nothing without a desktop, for example in an ssh session.
    ///
    /// - Returns: The reason why the browser cannot be opened; nil if the browser was started or there is no desktop.
    static func open(_ address: String) -> String? {
        guard Desktop.isPresent else { return nil }
        guard let program = Desktop.path(of: "xdg-open") else {
            return "cannot open a browser: xdg-open is not installed; open the address manually, "
                + "or run 'apt install xdg-utils'"
        }
        do throws(LaunchError) {
            _ = try DetachedProcess(program: program, arguments: [address], log: "/dev/null")
            return nil
        } catch {
            return "cannot start '\(program)': \(error); open the address in a browser"
        }
    }
}

/// A message on the user's desktop, for a program that was started from the desktop's menu.
enum DesktopNotice {
    /// Shows a message with `notify-send` if nobody can read the output of the program.
    ///
    /// This function does nothing in a terminal, without a desktop, and if `notify-send` is not installed.
    static func show(_ message: String) {
        let hasTerminal = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
        guard !hasTerminal, Desktop.isPresent, let program = Desktop.path(of: "notify-send") else { return }
        let arguments = ["--app-name=printq", "--icon=printer", "Print Center", message]
        _ = try? DetachedProcess(program: program, arguments: arguments, log: "/dev/null")
    }
}

/// The user's desktop.
private enum Desktop {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the program runs on a desktop, and not for example in an ssh session.
    static var isPresent: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    /// Returns the path of a program in the folders of `PATH`; nil if the program is not installed.
    static func path(of program: String) -> String? {
        (environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(program)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
