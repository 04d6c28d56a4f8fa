// Reads and writes open files.

import Glibc

/// A namespace for functions that read and write all bytes of open files, although a system call can process fewer bytes
/// or be interrupted.
package enum FileBytes {
    /// Writes all bytes to an open file.
    package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemFailure) {
        let number =
            bytes.withContiguousStorageIfAvailable { write(UnsafeRawBufferPointer($0), descriptor) }
            ?? Array(bytes).withUnsafeBytes { write($0, descriptor) }
        if number != 0 { throw SystemFailure(number) }
    }

    /// Returns 0 or an error number.
    private static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            written += count
        }
        return 0
    }

    /// Returns the bytes of an open file at an offset; fewer bytes at the end of the file.
    package static func read(
        _ descriptor: Int32, at offset: Int = 0, count: Int
    ) throws(SystemFailure) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, length in
            while length < buffer.count {
                let got = pread(descriptor, buffer.baseAddress! + length, buffer.count - length, off_t(offset + length))
                if got < 0, errno == EINTR { continue }
                if got < 0 { number = errno }
                guard got > 0 else { return }
                length += got
            }
        }
        guard number == 0 else { throw SystemFailure(number) }
        return bytes
    }

    /// Returns the first bytes of a file; fewer bytes if the file is shorter.
    package static func read(_ path: String, count: Int) throws(SystemFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemFailure(errno) }
        defer { close(descriptor) }
        return try read(descriptor, count: count)
    }

    /// Copies the bytes from the current position to the end of a file.
    ///
    /// - Parameter failure: A function that returns the error for a system call that failed, and whether the call was a
    ///   read.
    package static func copy<Failure: Error>(
        from source: Int32, to target: Int32, failure: (SystemFailure, _ isReading: Bool) -> Failure
    ) throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(SystemFailure(errno), true) }
            if count == 0 { return }
            do throws(SystemFailure) { try write(buffer[..<count], to: target) } catch { throw failure(error, false) }
        }
    }

    /// Syncs the entries of a folder to disk, if the file system supports this.
    package static func sync(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The error of a system call.
package struct SystemFailure: Error, Hashable, CustomStringConvertible {
    /// The error number (`errno`).
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The system's message for the error number.
    package var description: String { String(cString: strerror(number)) }

    /// Throws the error of a system call that returned a value other than 0.
    package static func check(_ result: Int32) throws(SystemFailure) {
        guard result == 0 else { throw SystemFailure(errno) }
    }
}
