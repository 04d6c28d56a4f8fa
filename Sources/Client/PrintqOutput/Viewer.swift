// The desktop's viewer of images.

import ProcessLaunch
package import SpoolerClient

/// The program that the desktop shows files with.
package enum Viewer {
    /// Shows a file.
    ///
    /// - Throws: `SpoolerClientError` with `notDone` when there is no desktop that could.
    package static func open(_ path: String) throws(SpoolerClientError) {
        let isOpen = Programs.run("xdg-open", [path]) == 0
        guard isOpen else {
            throw SpoolerClientError(.notDone, "no viewer opens '\(path)'; install xdg-utils, or open it yourself")
        }
    }
}
