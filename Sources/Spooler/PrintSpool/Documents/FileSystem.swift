// The few calls to a file system that the spool is made of, as a port.

import Dispatch
import FoundationEssentials
import Glibc

/// The few calls to a file system that the spool is made of.
///
/// The spool's own is `POSIXFileSystem`. A simulation brings another one, whose calls fail when it wants and which
/// forgets at a power cut what was not forced onto its disk.
package protocol FileSystem: Sendable {
    /// Makes a new file that only its owner can read, and opens it for writing.
    func create(_ path: String) throws(SystemCallError) -> Int32

    /// Writes all of `bytes` at the end of an open file.
    func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError)

    /// Forces the bytes of an open file onto the disk.
    func sync(_ descriptor: Int32) throws(SystemCallError)

    /// Closes an open file.
    func close(_ descriptor: Int32)

    /// Forces a folder's entries onto the disk.
    func syncFolder(_ path: String) throws(SystemCallError)

    /// Renames a file; one that has the new name already is replaced.
    func rename(_ path: String, to newPath: String) throws(SystemCallError)

    /// Gives a file a second name.
    func link(_ path: String, to newPath: String) throws(SystemCallError)

    /// Makes a folder that only its owner can enter, if it is not there.
    func makeFolder(_ path: String) throws(SystemCallError)

    /// Makes a folder and those above it, if they are not there, for good.
    func makeFolders(_ path: String) throws

    /// The names in a folder; none when it cannot be read.
    func names(in folder: String) -> [String]

    /// Removes a file, or a folder with all that is in it; what is not there is well removed.
    func remove(_ path: String)

    /// Whether there is a file that can be read.
    func isReadable(_ path: String) -> Bool

    /// Opens a file, made if it is missing, and locks it for this process; nil when another process has it locked.
    func lock(_ path: String) throws(SystemCallError) -> Int32?

    /// Ends a lock and closes its file.
    func unlock(_ descriptor: Int32)

    /// Runs what may wait for the disk where it holds nobody up.
    func perform(_ work: @escaping @Sendable () -> Void)
}

/// What a system call said: its name and `errno`.
package struct SystemCallError: Error, CustomStringConvertible {
    /// The call.
    package var call: String
    /// Its `errno`.
    package var number: Int32

    /// A call that failed.
    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The call and the system's words.
    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// The file system of the machine.
package struct POSIXFileSystem: FileSystem {
    /// The file system of the machine.
    package init() {}

    package func create(_ path: String) throws(SystemCallError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        return descriptor
    }

    package func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
        let failure = bytes.withUnsafeBytes { buffer -> Int32? in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        if let failure { throw SystemCallError(call: "write", number: failure) }
    }

    package func sync(_ descriptor: Int32) throws(SystemCallError) {
        guard fsync(descriptor) == 0 else { throw SystemCallError(call: "fsync", number: errno) }
    }

    package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    package func syncFolder(_ path: String) throws(SystemCallError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        defer { close(descriptor) }
        try sync(descriptor)
    }

    package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        guard Glibc.rename(path, newPath) == 0 else { throw SystemCallError(call: "rename", number: errno) }
    }

    package func link(_ path: String, to newPath: String) throws(SystemCallError) {
        guard Glibc.link(path, newPath) == 0 else { throw SystemCallError(call: "link", number: errno) }
    }

    package func makeFolder(_ path: String) throws(SystemCallError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemCallError(call: "mkdir", number: errno) }
    }

    package func makeFolders(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if !parent.isEmpty { try makeFolders(parent) }
        try makeFolder(path)
        // A folder that its parent forgets at a power cut takes all that is in it along.
        try syncFolder(parent.isEmpty ? "/" : parent)
    }

    package func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    package func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    package func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    package func lock(_ path: String) throws(SystemCallError) -> Int32? {
        // Not for child processes: a simulator that outlives us must not keep the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else { throw SystemCallError(call: "flock", number: number) }
            return nil
        }
        return descriptor
    }

    package func unlock(_ descriptor: Int32) {
        // Unlocked by name, because a child that is just being started still shares the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
}
