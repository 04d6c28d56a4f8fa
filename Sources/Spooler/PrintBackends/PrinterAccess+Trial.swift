// What is learned of a server while a printer is looked at, before it is added or changed.

import FoundationEssentials
import Glibc

extension PrinterAccess {
    /// Begins a look at a printer: what is kept of it holds there too, and what is learned does not change it.
    public static func beginTrial(of printer: String, in folder: String) {
        endTrial(of: printer, in: folder)
        guard let kept = FileManager.default.contents(atPath: path(of: printer, in: folder)) else { return }
        _ = store(kept, in: path(of: printer, in: folder, isTrial: true))
    }

    /// Keeps what was learned: the printer is where it was looked at.
    public static func keepTrial(of printer: String, in folder: String) {
        _ = rename(path(of: printer, in: folder, isTrial: true), path(of: printer, in: folder))
    }

    /// Forgets what was learned: the printer is none, or stays where it was.
    public static func endTrial(of printer: String, in folder: String) {
        _ = unlink(path(of: printer, in: folder, isTrial: true))
    }

    /// Forgets all looks that a crash has left unended.
    public static func endTrials(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(".") {
            _ = unlink("\(folder)/\(name)")
        }
    }
}
