// Finds blocking calls on threads that must not block.

import CDispatch
import Glibc
import Synchronization

/// A precondition of functions that can wait for a disk, a database or a name service.
///
/// A thread of an event loop serves many connections, and Swift's tasks share one thread per processor. A call that
/// blocks such a thread delays all of them. Make such calls with `BlockingThreads`.
public enum BlockingCall {
    /// The value of each thread: a pointer that is not nil for the thread of an event loop.
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
    private static let isForbiddenInTasks = Atomic(false)

    /// Forbids blocking calls on the calling thread, which runs an event loop.
    public static func forbidOnThisThread() { pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1)) }

    /// Forbids blocking calls on the threads that Swift's tasks share.
    ///
    /// A program calls this function when it begins to serve clients. A test also makes blocking calls in its own task,
    /// which delays no other work.
    public static func forbidInTasks() { isForbiddenInTasks.store(true, ordering: .relaxed) }

    /// Checks in debug builds that the calling thread may block.
    public static func check(_ call: StaticString = #function) {
        assert(mayBlock, "\(call) blocks a thread that other work needs; call it with BlockingThreads")
    }

    /// Whether the calling thread may block.
    package static var mayBlock: Bool {
        guard pthread_getspecific(mark) == nil else { return false }
        return !isForbiddenInTasks.load(ordering: .relaxed) || !isSharedByTasks
    }

    /// Whether the calling thread is one of the threads that Swift's tasks share.
    package static var isSharedByTasks: Bool {
        strcmp(dispatch_queue_get_label(nil), "Swift global concurrent queue") == 0
    }
}
