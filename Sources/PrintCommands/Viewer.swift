// The desktop's viewer of images.

import Glibc

/// The program that the desktop shows files with.
package enum Viewer {
    /// Shows a file.
    ///
    /// - Throws: `CommandError` with `notDone` when there is no desktop that could.
    package static func open(_ path: String) throws(CommandError) {
        let isOpen = withCStrings(["xdg-open", path]) { arguments in
            withEnvironment { environment in
                var pid: pid_t = 0
                var status: Int32 = 0
                return posix_spawnp(&pid, "xdg-open", nil, nil, arguments, environment) == 0
                    && waitpid(pid, &status, 0) == pid && status == 0
            }
        }
        guard isOpen else {
            throw CommandError(.notDone, "no viewer opens '\(path)'; install xdg-utils, or open it yourself")
        }
    }
}
