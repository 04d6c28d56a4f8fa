// Compresses the files of the web pages.

import CZlib
import HTTPTypes
import IPPServer

/// A namespace for functions that compress data in the gzip format (RFC 1952).
enum GzipData {
    /// Returns whether the client of a request accepts a response in the gzip encoding.
    static func isAccepted(by request: WebRequest) -> Bool {
        let codings = request.headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            return parts.first == "gzip" && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00"].contains($0) }
        }
    }

    /// Returns the data compressed with gzip; nil if the compressed data is not smaller.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 16 selects gzip, and 15 the largest window.
        guard
            deflateInit2_(
                &stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count)
        let isComplete = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        return isComplete ? Array(output.prefix(bytes.count - Int(stream.avail_out))) : nil
    }
}
