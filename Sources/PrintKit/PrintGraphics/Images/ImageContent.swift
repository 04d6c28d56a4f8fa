// The pixel data of images. A JPEG is decoded only when its pixels are needed.

import CCairo
import FoundationEssentials
import Glibc
import SafeFiles
import Synchronization

/// The stored pixels of an image.
///
/// Images that differ only in scale, orientation or insets share the pixels.
final class ImageContent: Sendable {
    /// An identifier that is unique in this process.
    let name = UUID().uuidString
    let width: Int
    let height: Int
    /// The JPEG data, which a PDF embeds unchanged; `nil` for other images.
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

    /// A JPEG is decoded on the first call.
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
                return .failure(.damaged("the image", cause: "the decoded size differs from the size in the header"))
            }
            return .success(decoded.pixels)
        } catch {
            return .failure(error)
        }
    }
}

/// The bytes of an image file.
///
/// The bytes never change after initialization, so any thread can read the bytes (`@unchecked Sendable`).
final class ImageBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    init(_ data: Data) throws(GraphicsError) {
        guard let copy = malloc(max(data.count, 1)) else { throw .noMemory("an image of \(data.count) bytes") }
        data.copyBytes(to: UnsafeMutableRawBufferPointer(start: copy, count: data.count))
        buffer = UnsafeRawBufferPointer(start: copy, count: data.count)
    }

    /// - Throws: `GraphicsError`: `unreadable`; `tooLarge` for a file of more than 2 GB.
    init(contentsOfFile path: String) throws(GraphicsError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path, cause: SystemFailure(errno).description) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, cause: "not a regular file")
        }
        let size = Int(status.st_size)
        guard size <= 1 << 31, let copy = malloc(max(size, 1)) else { throw .noMemory("'\(path)'") }
        var count = 0
        while count < size {
            let got = read(descriptor, copy + count, size - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                free(copy)
                throw .unreadable(path, cause: SystemFailure(errno).description)
            }
            if got == 0 { break }
            count += got
        }
        buffer = UnsafeRawBufferPointer(start: copy, count: count)
    }

    deinit { free(UnsafeMutableRawPointer(mutating: buffer.baseAddress)) }
}
