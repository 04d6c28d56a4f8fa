// Restores a spool from a backup file, for `printq restore`.

import ArgumentParser
import FoundationEssentials
import Glibc
import ProcessLaunch
import SpoolBackup

/// A type that restores a spool, and writes messages to the terminal.
///
/// `printd` performs the restoration because `printq` does not contain the database library.
struct Restoration {
    private let folder: String
    private let replaces: Bool

    /// Creates the restoration for the folder of a spool.
    init(of folder: String, replaces: Bool) {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        (self.folder, self.replaces) = (folder, replaces)
    }

    /// Restores the spool, and shows the result.
    ///
    /// - Parameter file: The path of the backup; `-` for standard input.
    func run(_ file: String) async throws {
        let archive = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard archive >= 0 else {
            Notice.write("printq: cannot open '\(file)': \(String(cString: strerror(errno)))")
            throw ExitCode(66)
        }
        guard mayReplace || FolderOwnership.becomeOwner(of: owned) else {
            Notice.write("printq: cannot restore the spool as the owner of '\(owned)'; run the command as that user")
            throw ExitCode(77)
        }
        do throws(BackupError) {
            let result = try await SpoolRestoration(of: folder, replaces: replaces).restore(from: archive)
            print("restored the spool '\(folder)' from a backup of printq \(result.manifest.program)")
            if let replaced = result.replaced { print("the previous spool is in '\(replaced)'") }
            if result.suspendedJobs > 0 {
                let jobs = result.suspendedJobs == 1 ? "1 job is" : "\(result.suspendedJobs) jobs are"
                print(
                    "\(jobs) suspended, because printd might have continued printing after the backup; "
                        + "see 'printq queue'"
                )
            }
            if !result.manifest.hasSecrets {
                print("the backup contains no logins; store the logins again with 'printq printers login'")
            }
        } catch {
            Notice.write("printq: \(error.message)")
            throw ExitCode(Self.exitCode(error.code))
        }
    }

    /// The folder of the spool, or the lowest folder above it that exists.
    private var owned: String {
        var path = folder
        while access(path, F_OK) != 0, let end = path.lastIndex(of: "/") {
            path = end == path.startIndex ? "/" : String(path[..<end])
        }
        return path
    }

    /// Whether root can replace the folder of another user without entering the folder: the folder is not empty, and
    /// only root can change the folder that contains it.
    private var mayReplace: Bool {
        var status = stat()
        let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0 != "lost+found" } && stat(parent.isEmpty ? "/" : parent, &status) == 0
            && status.st_uid == 0 && status.st_mode & 0o022 == 0
    }

    private static func exitCode(_ code: BackupError.Code) -> Int32 {
        switch code {
        case .invalid, .tooNew: 65
        case .notEmpty: 64
        case .inUse, .noSpace, .busy: 75
        case .file: 74
        }
    }
}
