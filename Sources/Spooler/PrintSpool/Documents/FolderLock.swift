// Locks the spool, so that only one process opens it.

import FoundationEssentials
import Glibc
import Synchronization

/// The lock that prevents a second process from opening the spool.
///
/// The kernel releases the lock when the process ends.
final class FolderLock: Sendable {
    private let system: any FileSystem
    private let descriptor: Mutex<Int32?>

    /// Locks the file `lock` in `folder`.
    ///
    /// - Throws: `locked` when another process holds the lock.
    init(folder: String, system: any FileSystem) throws(SpoolError) {
        let path = folder + "/lock"
        let locked: Int32?
        do { locked = try system.lock(path) } catch { throw .file(path, error) }
        guard let locked else { throw .locked(folder) }
        self.system = system
        descriptor = Mutex(locked)
    }

    deinit { release() }

    func release() {
        if let descriptor = descriptor.withLock({ $0.take() }) { system.unlock(descriptor) }
    }
}

extension Spool {
    /// Returns the process that has locked the spool in a folder, from `/proc/locks`; nil if the process is unknown.
    package static func process(using folder: String) -> Int? {
        var status = stat()
        guard stat("\(folder)/lock", &status) == 0, let data = FileManager.default.contents(atPath: "/proc/locks")
        else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") else { continue }
            return Int(fields[4])
        }
        return nil
    }
}
