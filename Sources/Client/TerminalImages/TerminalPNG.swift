// Encodes PNG files for terminals that read PNG themselves.

import FoundationEssentials
import SafeFiles

/// An encoder for terminals that receive PNG files: kitty and iTerm2.
public enum TerminalPNG {
    /// The maximum size of a PNG file in bytes.
    static let mostBytes = 64 << 20
    /// The maximum number of base64 characters in each part of an image, as required by the kitty graphics protocol.
    static let chunkLength = 4096

    /// Returns the bytes of a PNG file; nil if the file cannot be read, is not a PNG, or is too large.
    public static func file(_ path: String) -> [UInt8]? {
        guard let file = open(path), let bytes = try? file.bytes(count: file.size), size(of: bytes) != nil else {
            return nil
        }
        return bytes
    }

    /// Returns the width and height in pixels of a PNG file; nil if the file cannot be read, is not a PNG, or is larger
    /// than 64 MiB.
    public static func size(ofFile path: String) -> (width: Int, height: Int)? {
        (try? open(path)?.bytes(count: 24)).flatMap(size(of:))
    }

    private static func open(_ path: String) -> RegularFile? {
        (try? RegularFile(path)).flatMap { $0.size <= mostBytes ? $0 : nil }
    }

    /// Returns the width and height in pixels that the first 24 bytes of a PNG file contain; nil if the bytes are not
    /// the start of a PNG.
    static func size(of head: [UInt8]) -> (width: Int, height: Int)? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard head.count >= 24, head.starts(with: start) else { return nil }
        func number(_ start: Int) -> Int { head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard (1...100_000).contains(number(16)), (1...100_000).contains(number(20)) else { return nil }
        return (number(16), number(20))
    }

    /// Returns the control sequences of the kitty graphics protocol that show a PNG file in a rectangle of character
    /// cells at the cursor.
    ///
    /// The terminal sends no reply and does not move the cursor.
    public static func kitty(_ png: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let text = Array(Data(png).base64EncodedData())
        var output: [UInt8] = []
        var rest = text[...]
        repeat {
            let chunk = rest.prefix(chunkLength)
            let isFirst = rest.startIndex == text.startIndex
            rest = rest.dropFirst(chunkLength)
            let keys = isFirst ? "a=T,f=100,t=d,q=2,C=1,c=\(columns),r=\(rows)," : "q=2,"
            output += Array("\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);".utf8) + chunk + Array("\u{1B}\\".utf8)
        } while !rest.isEmpty
        return output
    }

    /// The control sequence that removes all images from a kitty terminal.
    public static let kittyRemoval = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)

    /// Returns the control sequence of iTerm2 that shows a PNG file in a rectangle of character cells at the cursor.
    public static func iterm(_ png: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let head =
            "\u{1B}]1337;File=inline=1;size=\(png.count);width=\(columns);height=\(rows);preserveAspectRatio=1"
            + ";doNotMoveCursor=1:"
        return Array(head.utf8) + Array(Data(png).base64EncodedData()) + [0x07]
    }
}
