// What images that look alike share: pixels, or a JPEG that becomes pixels only when they are needed.

import CCairo
import FoundationEssentials
import Glibc
import Synchronization

/// The stored picture.
final class ImageContent: Sendable {
    /// Unlike that of any other content in this process.
    let name = UUID().uuidString
    let width: Int
    let height: Int
    /// The file's bytes, for a PDF.
    let jpeg: ImageBytes?
    private let decoded: Mutex<Result<PixelBuffer, GraphicsError>?>

    init(pixels: PixelBuffer) {
        (width, height, jpeg) = (pixels.width, pixels.height, nil)
        decoded = Mutex(.success(pixels))
    }

    init(jpeg: ImageBytes, width: Int, height: Int) {
        (self.width, self.height, self.jpeg) = (width, height, jpeg)
        decoded = Mutex(nil)
    }

    /// The pixels; a JPEG is decoded the first time.
    func pixels() throws(GraphicsError) -> PixelBuffer {
        let result = decoded.withLock { known in
            if let known { return known }
            let result = decode()
            known = result
            return result
        }
        return try result.get()
    }

    private func decode() -> Result<PixelBuffer, GraphicsError> {
        guard let jpeg else { return .failure(.noMemory("an image")) }
        do throws(GraphicsError) {
            let decoded = try ImageDecoder.decode(jpeg.buffer, name: "the image", maximumPixels: width * height)
            guard decoded.pixels.width == width, decoded.pixels.height == height else {
                return .failure(.damaged("the image", cause: "its size is not the one it told before"))
            }
            return .success(decoded.pixels)
        } catch {
            return .failure(error)
        }
    }
}

/// A file's bytes.
///
/// Nobody writes to them once they are read, so any thread may read them (`@unchecked Sendable`).
final class ImageBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    init(_ data: Data) throws(GraphicsError) {
        guard let copy = malloc(max(data.count, 1)) else { throw .noMemory("an image of \(data.count) bytes") }
        data.copyBytes(to: UnsafeMutableRawBufferPointer(start: copy, count: data.count))
        buffer = UnsafeRawBufferPointer(start: copy, count: data.count)
    }

    /// Throws `unreadable`, or `tooLarge` for a file of more than 2 GB.
    init(contentsOfFile path: String) throws(GraphicsError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path, cause: systemMessage(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, cause: "it is not a file")
        }
        let size = Int(status.st_size)
        guard size <= 1 << 31, let copy = malloc(max(size, 1)) else { throw .noMemory("'\(path)'") }
        var count = 0
        while count < size {
            let got = read(descriptor, copy + count, size - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                free(copy)
                throw .unreadable(path, cause: systemMessage(errno))
            }
            if got == 0 { break }
            count += got
        }
        buffer = UnsafeRawBufferPointer(start: copy, count: count)
    }

    deinit { free(UnsafeMutableRawPointer(mutating: buffer.baseAddress)) }
}
