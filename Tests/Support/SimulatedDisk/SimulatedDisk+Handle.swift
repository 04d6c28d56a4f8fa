// Gives one process access to a simulated disk.

import Glibc
package import PrintSpool
import Synchronization

extension SimulatedDisk {
    /// The access of one process to a simulated disk.
    ///
    /// Calls can fail, and have no effect after the process has died.
    package final class Handle: FileSystem {
        private let disk: SimulatedDisk
        private let isAlive: @Sendable () -> Bool
        private let fault: @Sendable (_ call: String, _ path: String) -> Int32?
        private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
        private let descriptors = Mutex<Set<Int32>>([])

        /// Creates a handle for a process.
        ///
        /// - Parameters:
        ///   - isAlive: A function that returns whether the process is alive.
        ///   - fault: A function that returns the `errno` with which a call fails, or nil for success. It is called
        ///     before each call that writes. For fsync, 0 means that the call does nothing and reports success, like an
        ///     unreliable disk.
        ///   - schedule: A function that runs the work that may wait for the disk.
        package init(
            _ disk: SimulatedDisk, isAlive: @escaping @Sendable () -> Bool = { true },
            fault: @escaping @Sendable (_ call: String, _ path: String) -> Int32? = { _, _ in nil },
            schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        ) {
            self.disk = disk
            self.isAlive = isAlive
            self.fault = fault
            self.schedule = schedule
        }

        /// Releases the files and locks of the process; called when the process has died.
        package func die() { disk.release(descriptors.withLock { $0 }) }

        /// Throws the injected error, or an error if the process is dead; returns false if the call must only seem to
        /// succeed.
        @discardableResult
        private func begin(_ call: String, _ path: String) throws(SystemCallError) -> Bool {
            guard isAlive() else { throw SystemCallError(call: call, number: EBADF) }
            let number = fault(call, path)
            guard isAlive() else { throw SystemCallError(call: call, number: EBADF) }
            if let number, number != 0 { throw SystemCallError(call: call, number: number) }
            return number == nil
        }

        /// Runs the effect of a call on the disk; a failure's number becomes the error's `errno`.
        private func carryOut<Value: Sendable>(
            _ call: String, _ effect: (inout sending State) -> Result<Value, Failure>
        ) throws(SystemCallError) -> Value {
            switch disk.state.withLock({ state in effect(&state) }) {
            case .success(let value): return value
            case .failure(let failure): throw SystemCallError(call: call, number: failure.number)
            }
        }

        private struct Failure: Error { var number: Int32 }

        package func create(_ path: String) throws(SystemCallError) -> Int32 {
            try begin("open", path)
            let descriptor: Int32 = try carryOut("open") { state in
                guard state.seen[path] == nil else { return .failure(Failure(number: EEXIST)) }
                guard state.seen[SimulatedDisk.folder(of: path)] == .folder else {
                    return .failure(Failure(number: ENOENT))
                }
                state.lastInode += 1
                state.inodes[state.lastInode] = Inode()
                state.make(Change(removed: nil, added: (path, .file(state.lastInode))))
                state.lastDescriptor += 1
                state.open[state.lastDescriptor] = (state.lastInode, path)
                return .success(state.lastDescriptor)
            }
            descriptors.withLock { _ = $0.insert(descriptor) }
            return descriptor
        }

        package func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
            let path = disk.state.withLock { $0.open[descriptor]?.path } ?? ""
            let failure: SystemCallError?
            do throws(SystemCallError) {
                try begin("write", path)
                failure = nil
            } catch {
                failure = error
            }
            guard failure == nil || isAlive() else { throw SystemCallError(call: "write", number: EBADF) }
            // A disk that becomes full writes a part of the bytes.
            let taken = failure == nil ? bytes : Array(bytes.prefix(bytes.count / 2))
            try carryOut("write") { state -> Result<Void, Failure> in
                guard let inode = state.open[descriptor]?.inode else { return .failure(Failure(number: EBADF)) }
                state.inodes[inode]?.bytes += taken
                return .success(())
            }
            if let failure { throw failure }
        }

        package func sync(_ descriptor: Int32) throws(SystemCallError) {
            guard try begin("fsync", disk.state.withLock { $0.open[descriptor]?.path } ?? "") else { return }
            try carryOut("fsync") { state -> Result<Void, Failure> in
                guard let inode = state.open[descriptor]?.inode else { return .failure(Failure(number: EBADF)) }
                let bytes = state.inodes[inode]?.bytes
                state.inodes[inode]?.synced = bytes
                return .success(())
            }
        }

        package func close(_ descriptor: Int32) {
            guard isAlive() else { return }
            disk.release([descriptor])
            descriptors.withLock { _ = $0.remove(descriptor) }
        }

        package func syncFolder(_ path: String) throws(SystemCallError) {
            guard try begin("fsync", path) else { return }
            try carryOut("open") { state -> Result<Void, Failure> in
                guard state.seen[path] == .folder else { return .failure(Failure(number: ENOENT)) }
                state.syncEntries(of: path)
                return .success(())
            }
        }

        package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
            try begin("rename", newPath)
            try carryOut("rename") { state -> Result<Void, Failure> in
                guard case .file(let inode) = state.seen[path],
                    state.seen[SimulatedDisk.folder(of: newPath)] == .folder
                else { return .failure(Failure(number: ENOENT)) }
                state.make(Change(removed: path, added: (newPath, .file(inode))))
                return .success(())
            }
        }

        package func link(_ path: String, to newPath: String) throws(SystemCallError) {
            try begin("link", newPath)
            try carryOut("link") { state -> Result<Void, Failure> in
                guard case .file(let inode) = state.seen[path],
                    state.seen[SimulatedDisk.folder(of: newPath)] == .folder
                else { return .failure(Failure(number: ENOENT)) }
                guard state.seen[newPath] == nil else { return .failure(Failure(number: EEXIST)) }
                state.make(Change(removed: nil, added: (newPath, .file(inode))))
                return .success(())
            }
        }

        package func makeFolder(_ path: String) throws(SystemCallError) {
            try begin("mkdir", path)
            try carryOut("mkdir") { state -> Result<Void, Failure> in
                guard state.seen[path] == nil else { return .success(()) }
                guard state.seen[SimulatedDisk.folder(of: path)] == .folder else {
                    return .failure(Failure(number: ENOENT))
                }
                state.make(Change(removed: nil, added: (path, .folder)))
                return .success(())
            }
        }

        package func makeFolders(_ path: String) throws {
            var folder = ""
            for name in path.split(separator: "/") {
                let parent = folder.isEmpty ? "/" : folder
                folder += "/" + name
                try makeFolder(folder)
                try syncFolder(parent)
            }
        }

        package func names(in folder: String) -> [String] {
            disk.state.withLock { state in
                state.seen.keys.filter { $0 != "/" && SimulatedDisk.folder(of: $0) == folder }
                    .map { String($0.dropFirst(folder == "/" ? 1 : folder.count + 1)) }.sorted()
            }
        }

        package func remove(_ path: String) {
            guard (try? begin("unlink", path)) != nil else { return }
            disk.state.withLock { state in
                let gone = state.seen.keys.filter { $0 == path || $0.hasPrefix(path + "/") }.sorted().reversed()
                for path in gone { state.make(Change(removed: path, added: nil)) }
                state.dropUnnamed()
            }
        }

        package func isReadable(_ path: String) -> Bool { disk.read(path) != nil }

        package func lock(_ path: String) throws(SystemCallError) -> Int32? {
            try begin("open", path)
            let descriptor: Int32? = try carryOut("open") { state -> Result<Int32?, Failure> in
                guard state.locks[path] == nil else { return .success(nil) }
                if state.seen[path] == nil {
                    state.lastInode += 1
                    state.inodes[state.lastInode] = Inode()
                    state.make(Change(removed: nil, added: (path, .file(state.lastInode))))
                }
                state.lastDescriptor += 1
                state.locks[path] = state.lastDescriptor
                return .success(state.lastDescriptor)
            }
            if let descriptor { descriptors.withLock { _ = $0.insert(descriptor) } }
            return descriptor
        }

        package func unlock(_ descriptor: Int32) { close(descriptor) }

        package func perform(_ work: @escaping @Sendable () -> Void) { schedule(work) }
    }
}
