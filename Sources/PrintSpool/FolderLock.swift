// One process a spool.

import Glibc
import Synchronization

/// The lock that keeps a second process out of a spool; it goes with the process, however that ends.
final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Locks the file `lock` in `folder`.
    ///
    /// - Throws: `locked` when someone has it.
    init(folder: String) throws(SpoolError) {
        let path = folder + "/lock"
        // Not for child processes: a simulator that outlives us must not keep the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, "open", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            throw number == EWOULDBLOCK ? .locked(folder) : .file(path, "flock", number)
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Lets the next one in.
    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return }
            // Unlocked by name, because a child that is just being started still shares the descriptor.
            flock(open, LOCK_UN)
            close(open)
            descriptor = nil
        }
    }
}
