// The calls that put a file on the disk for good, with errors for people.

/// The calls that put a file on the disk for good, with errors for people.
///
/// The order is always: write, fsync the file, rename, fsync the folder, and only then the row that names the file.
struct Files: Sendable {
    /// Whose calls they are.
    let system: any FileSystem

    /// Makes a new file that only its owner can read, and opens it for writing.
    func create(_ path: String) throws(SpoolError) -> Int32 {
        do { return try system.create(path) } catch { throw .file(path, error) }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.write(bytes, to: descriptor) } catch { throw .file(path, error) }
    }

    /// Forces an open file onto the disk.
    func sync(_ descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.sync(descriptor) } catch { throw .file(path, error) }
    }

    /// Closes an open file.
    func close(_ descriptor: Int32) { system.close(descriptor) }

    /// Forces a folder's entries onto the disk.
    func syncFolder(_ path: String) throws(SpoolError) {
        do { try system.syncFolder(path) } catch { throw .file(path, error) }
    }

    /// Renames a file; one that has the new name already is replaced.
    func rename(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.rename(path, to: newPath) } catch { throw .file(newPath, error) }
    }

    /// Gives a file a second name.
    func link(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.link(path, to: newPath) } catch { throw .file(path, error) }
    }

    /// Makes a folder that only its owner can enter, if it is not there.
    func makeFolder(_ path: String) throws(SpoolError) {
        do { try system.makeFolder(path) } catch { throw .file(path, error) }
    }

    /// Makes a folder and those above it, if they are not there.
    func makeFolders(_ path: String) throws(SpoolError) {
        do {
            try system.makeFolders(path)
        } catch {
            throw SpoolError(
                code: .unwritable, message: "the folder '\(path)' cannot be made; choose another with '--spool'",
                cause: error)
        }
    }

    /// The names in a folder; none when it cannot be read.
    func names(in folder: String) -> [String] { system.names(in: folder) }

    /// Removes a file, or a folder with all that is in it; what is not there is well removed.
    func remove(_ path: String) { system.remove(path) }

    /// Whether there is a file that can be read.
    func isReadable(_ path: String) -> Bool { system.isReadable(path) }

    /// Runs what may wait for the disk where it holds nobody up.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            system.perform { continuation.resume(returning: work()) }
        }
    }
}
