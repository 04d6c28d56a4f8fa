import FoundationEssentials
import PageComparison
import PrintTestSupport
import Testing

@testable import TerminalImages

/// Tests of the bytes that show images.
struct EncoderTests {
    private static let colors: [Character: [UInt8]] = [
        "R": [255, 0, 0], "G": [0, 255, 0], "B": [0, 0, 255], "K": [0, 0, 0], "_": [255, 255, 255],
    ]

    /// Returns an image with one letter for each pixel.
    private func image(_ letters: String) -> PagePixels {
        let rows = letters.split(separator: "\n")
        return PagePixels(
            width: rows[0].count, height: rows.count,
            bytes: rows.flatMap { $0.flatMap { Self.colors[$0] ?? [0, 0, 0] } })
    }

    /// Returns the width and height of a PNG file.
    private func size(_ path: String) -> [Int]? {
        TerminalPNG.size(ofFile: path).map { [$0.width, $0.height] }
    }

    // MARK: Half blocks

    @Test func `a half-block character shows two pixels, and a color code is written only where the color changes`() {
        let lines = HalfBlocks.lines(image("RR\nBK\n__"), isTrueColor: true)
        #expect(
            lines == [
                "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;0;255m▀\u{1B}[48;2;0;0;0m▀\u{1B}[0m",
                "\u{1B}[38;2;255;255;255m\u{1B}[48;2;255;255;255m▀▀\u{1B}[0m",
            ])
    }

    @Test(arguments: [
        (255, 255, 255, 231), (0, 0, 0, 16), (255, 0, 0, 196), (128, 128, 128, 244), (95, 135, 175, 67),
        (18, 18, 18, 233),
    ]) func `for a terminal with 256 colors, a color is replaced with the nearest palette color`(
        red: Int, green: Int, blue: Int, index: Int
    ) {
        #expect(HalfBlocks.indexed(red: red, green: green, blue: blue) == index)
    }

    @Test func `a terminal with 256 colors receives color numbers instead of RGB values`() {
        #expect(
            HalfBlocks.lines(image("R\n_"), isTrueColor: false)
                == ["\u{1B}[38;5;196m\u{1B}[48;5;231m▀\u{1B}[0m"])
    }

    // MARK: Sixel

    @Test func `sixel graphics contain a palette and run-length encoded bands of six rows`() {
        // Six rows of red: the sixel with all bits is '~'.
        let square = image(Array(repeating: "RRRRRR", count: 6).joined(separator: "\n"))
        let text = String(decoding: Sixels.encode(square), as: UTF8.self)
        #expect(text == "\u{1B}P0;1;0q\"1;1;6;6#0;2;100;0;0#0!6~-\u{1B}\\")
    }

    @Test func `an image keeps its pixels if it is encoded as sixel graphics and decoded again`() throws {
        let original = image("RGB_K__\nKKKKKKK\n_______\nBBBBBBB\nR_R_R_R\nGGGGGGG\nKRKRKRK\n__BBBBB")
        let decoded = try SixelReader.decode(Sixels.encode(original))
        #expect(decoded == original)
    }

    @Test func `an image of many colors is encoded as sixel graphics with similar colors`() throws {
        let side = 40
        var bytes: [UInt8] = []
        for index in 0..<side * side {
            bytes.append(UInt8(index % side * 6))
            bytes.append(UInt8(index / side * 6))
            bytes.append(UInt8(index * 7 % 256))
        }
        let decoded = try SixelReader.decode(Sixels.encode(PagePixels(width: side, height: side, bytes: bytes)))
        let difference = zip(decoded.bytes, bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        // Half of the distance between two levels of the palette, and the rounding to percent.
        #expect(difference <= 30)
    }

    // MARK: PNG

    @Test(arguments: [1, 3_072, 3_073, 10_000])
    func `for the kitty protocol, an image file is sent in parts of at most 4,096 characters`(count: Int) throws {
        let file = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let text = String(decoding: TerminalPNG.kitty(file, columns: 20, rows: 10), as: UTF8.self)
        let parts = text.split(separator: "\u{1B}\\")
        #expect(parts.count == (count + 3_071) / 3_072)
        #expect(parts.first?.hasPrefix("\u{1B}_Ga=T,f=100,t=d,q=2,C=1,c=20,r=10,m=\(parts.count > 1 ? 1 : 0);") == true)
        #expect(parts.dropFirst().dropLast().allSatisfy { $0.hasPrefix("\u{1B}_Gq=2,m=1;") })
        let contents = try parts.map { try #require($0.split(separator: ";", maxSplits: 1).last) }
        #expect(contents.allSatisfy { $0.utf8.count <= 4096 })
        #expect(Data(base64Encoded: contents.joined()) == Data(file))
    }

    @Test func `for the iTerm2 protocol, an image file is sent with its size in bytes and in cells`() {
        let text = String(decoding: TerminalPNG.iterm(Array("abc".utf8), columns: 20, rows: 10), as: UTF8.self)
        #expect(
            text
                == "\u{1B}]1337;File=inline=1;size=3;width=20;height=10;preserveAspectRatio=1;doNotMoveCursor=1:YWJj\u{7}"
        )
    }

    @Test func `the size of an image is nil if the file is not a PNG or the size is out of range`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a.png"
        try Data(image("RG\nBK\n__").png).write(to: URL(filePath: path))
        #expect(size(path) == [2, 3])
        #expect(size(folder.path) == nil)
        var bytes = image("RG\nBK\n__").png
        bytes[16] = 0x7F
        #expect(TerminalPNG.size(of: Array(bytes.prefix(24))).map { $0.width } == nil)
        try Data("%PDF-1.4 this is not an image at all".utf8).write(to: URL(filePath: path))
        #expect(size(path) == nil)
        #expect(TerminalPNG.file(path) == nil)
    }
}

/// A reader of sixel graphics.
enum SixelReader {
    struct Failure: Error {}

    /// Returns the image, with pixels that have no color in gray.
    static func decode(_ bytes: [UInt8]) throws -> PagePixels {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\"), let start = text.firstIndex(of: "q") else {
            throw Failure()
        }
        var rest = Array(text[text.index(after: start)...].dropLast(2).utf8)[...]
        func numbers() -> [Int] {
            let digits = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
            rest = rest.dropFirst(digits.count)
            return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        }
        guard rest.popFirst() == UInt8(ascii: "\"") else { throw Failure() }
        let size = numbers()
        guard size.count == 4 else { throw Failure() }
        var pixels = [UInt8](repeating: 128, count: 3 * size[2] * size[3])
        var (x, top, color, palette) = (0, 0, 0, [Int: [Int]]())
        while let byte = rest.popFirst() {
            var run = 1
            var sixel = byte
            switch byte {
            case UInt8(ascii: "#"):
                let values = numbers()
                color = values[0]
                if values.count == 5 { palette[color] = values.suffix(3).map { ($0 * 255 + 50) / 100 } }
                continue
            case UInt8(ascii: "$"):
                x = 0
                continue
            case UInt8(ascii: "-"):
                (x, top) = (0, top + 6)
                continue
            case UInt8(ascii: "!"):
                run = numbers()[0]
                sixel = rest.popFirst() ?? 0
            default: break
            }
            guard (63...126).contains(sixel), let levels = palette[color], x + run <= size[2] else { throw Failure() }
            for _ in 0..<run {
                for bit in 0..<6 where (sixel - 63) >> UInt8(bit) & 1 == 1 {
                    let pixel = 3 * ((top + bit) * size[2] + x)
                    for channel in 0..<3 { pixels[pixel + channel] = UInt8(levels[channel]) }
                }
                x += 1
            }
        }
        return PagePixels(width: size[2], height: size[3], bytes: pixels)
    }
}
