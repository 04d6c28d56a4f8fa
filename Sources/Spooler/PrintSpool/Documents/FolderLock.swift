// One process a spool.

import Synchronization

/// The lock that keeps a second process out of a spool; it goes with the process, however that ends.
final class FolderLock: Sendable {
    private let system: any FileSystem
    private let descriptor: Mutex<Int32?>

    /// Locks the file `lock` in `folder`.
    ///
    /// - Throws: `locked` when someone has it.
    init(folder: String, system: any FileSystem) throws(SpoolError) {
        let path = folder + "/lock"
        let locked: Int32?
        do { locked = try system.lock(path) } catch { throw .file(path, error) }
        guard let locked else { throw .locked(folder) }
        self.system = system
        descriptor = Mutex(locked)
    }

    deinit { release() }

    /// Lets the next one in.
    func release() {
        if let descriptor = descriptor.withLock({ $0.take() }) { system.unlock(descriptor) }
    }
}
