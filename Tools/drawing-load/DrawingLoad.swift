// Measures PrintGraphics in a separate process, and tests it with damaged images.

import FoundationEssentials
import PrintGraphics

@main
struct DrawingLoad {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "lines" where arguments.count == 3: try lines(from: arguments[1], to: arguments[2])
        case "photos" where arguments.count >= 3: try photos(Array(arguments[2...]), to: arguments[1])
        case "shapes" where arguments.count == 3: try shapes(pages: Int(arguments[1]) ?? 1000, to: arguments[2])
        case "picture" where arguments.count == 4:
            try picture(width: Int(arguments[1]) ?? 800, height: Int(arguments[2]) ?? 600, to: arguments[3])
        case "mutations" where arguments.count == 4:
            mutations(of: arguments[3], count: Int(arguments[1]) ?? 1, seed: UInt64(arguments[2]) ?? 0)
        default:
            print(
                "usage: drawing-load lines TEXT PDF | photos PDF JPEG… | shapes PAGES PDF | picture WIDTH HEIGHT JPEG",
                "| mutations COUNT SEED IMAGE")
        }
    }

    /// Draws a plain text of any length on pages of 60 lines, and prints the peak memory.
    static func lines(from source: String, to path: String) throws {
        let text = try String(contentsOfFile: source, encoding: .utf8)
        try PDFContext.write(to: path) { pdf in
            let style = ParagraphStyle(lineBreakMode: .byWordWrapping, minimumLineHeight: 12, maximumLineHeight: 12)
            let framesetter = Framesetter(text, font: Font(family: "DejaVu Sans Mono", size: 10), style: style)
            var position = 0
            repeat {
                pdf.beginPage()
                let frame = framesetter.frame(in: Rect(x: 36, y: 36, width: 540, height: 720), startingAt: position)
                frame.draw()
                position = frame.visibleRange.upperBound
            } while position < framesetter.length
        }
        try printPeak()
    }

    /// Prints the peak memory in KiB.
    static func printPeak() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        print(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? "")
    }

    /// Draws each photograph on a page of its size.
    static func photos(_ files: [String], to path: String) throws {
        try PDFContext.write(to: path) { pdf in
            for file in files {
                let image = try Image(contentsOfFile: file)
                pdf.beginPage(bounds: Rect(origin: .zero, size: image.size))
                image.draw(at: .zero)
            }
        }
    }

    /// Writes a JPEG image that is as hard to compress as a photograph: soft shapes with some noise.
    static func picture(width: Int, height: Int, to path: String) throws {
        var random = Xorshift(state: 7)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let noise = UInt8.random(in: 0...24, using: &random)
                let shade = UInt8((x * 200 / width + y * 200 / height) / 2)
                bytes += [shade + noise, UInt8((x / 40 + y / 40) % 2 * 120) + noise, 200 - shade + noise]
            }
        }
        try Image(width: width, height: height, rgb: bytes).jpegData().write(to: URL(filePath: path))
    }

    /// Draws pages of rectangles, curves and ovals, and prints the peak memory.
    static func shapes(pages: Int, to path: String) throws {
        try PDFContext.write(to: path) { pdf in
            for page in 0..<pages {
                pdf.beginPage()
                for index in 0..<100 {
                    let (x, y) = (Double(index % 10) * 54 + 36, Double(index / 10) * 72 + 36)
                    let share = Double(index + page % 7) / 107
                    pdf.fillColor = Color(red: share, green: 1 - share, blue: 0.5)
                    pdf.fill(Rect(x: x, y: y, width: 40, height: 30))
                    pdf.strokeColor = Color(red: 0, green: share, blue: 1 - share)
                    pdf.lineWidth = 1 + share
                    var path = BezierPath()
                    path.move(to: Point(x: x, y: y + 60))
                    path.addCurve(
                        to: Point(x: x + 40, y: y + 60), controlPoint1: Point(x: x + 10, y: y),
                        controlPoint2: Point(x: x + 30, y: y + 90))
                    path.lineWidth = 1 + share
                    pdf.stroke(path)
                    pdf.fillEllipse(in: Rect(x: x + 10, y: y + 35, width: 20, height: 20))
                }
            }
        }
        try printPeak()
    }

    /// Reads damaged versions of an image, and draws the versions that can still be read.
    ///
    /// The function must not crash.
    static func mutations(of path: String, count: Int, seed: UInt64) {
        guard let original = FileManager.default.contents(atPath: path), !original.isEmpty else { return }
        var random = Xorshift(state: seed &* 2 + 1)
        var read = 0
        for _ in 0..<count {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[bytes.startIndex + place] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes = bytes.prefix(Int.random(in: 1...bytes.count, using: &random)) }
            guard let image = try? Image(data: Data(bytes), maximumPixels: 1_000_000) else { continue }
            read += 1
            _ = try? image.decode()
            let pdf = try? PDFContext()
            pdf?.beginPage()
            pdf?.draw(image, in: Rect(x: 0, y: 0, width: 50, height: 50))
            _ = try? pdf?.closedData()
        }
        print("\(count) versions, \(read) of them images")
    }
}

/// A generator of pseudorandom numbers, which are equal for equal seeds.
struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
