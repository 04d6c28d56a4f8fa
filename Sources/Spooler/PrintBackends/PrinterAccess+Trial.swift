// Stores certificates separately while a printer is checked, before it is added or changed.

import FoundationEssentials
import Glibc
import SafeFiles

extension PrinterAccess {
    /// Begins the check of a printer before the printer is added or changed.
    ///
    /// The check does not change the stored certificate and credentials of the printer.
    public static func beginTrial(of printer: String, in folder: String) {
        endTrial(of: printer, in: folder)
        guard let kept = FileManager.default.contents(atPath: path(of: printer, in: folder)) else { return }
        changeFile(path(of: printer, in: folder, isTrial: true)) {
            (try? AtomicFile.write(kept, to: $0, temporaryName: .new, sync: .content)) == nil ? -1 : 0
        }
    }

    /// Stores the results of the check after the printer is added or changed.
    public static func keepTrial(of printer: String, in folder: String) {
        let trial = path(of: printer, in: folder, isTrial: true)
        changeFile(path(of: printer, in: folder)) { rename(trial, $0) }
    }

    /// Discards the results of the check, because the printer was not added or changed.
    public static func endTrial(of printer: String, in folder: String) {
        changeFile(path(of: printer, in: folder, isTrial: true)) { unlink($0) }
    }

    /// Discards the results of checks that a crash has interrupted.
    public static func endTrials(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(".") {
            _ = unlink("\(folder)/\(name)")
        }
    }
}
