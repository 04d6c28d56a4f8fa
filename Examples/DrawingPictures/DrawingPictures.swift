// Draws the pictures of the PrintGraphics documentation with PrintGraphics.

import PrintGraphics

/// A program that writes all pictures to a folder: `DrawingPictures FOLDER`.
@main
struct DrawingPictures {
    private static let all: [(name: String, size: Size, draw: @Sendable (GraphicsContext) -> Void)] = [
        ("paths", Size(width: 480, height: 140), paths),
        ("blend-modes", Size(width: 560, height: 340), blendModes),
        ("gradients", Size(width: 480, height: 130), gradients),
        ("shadows", Size(width: 480, height: 130), shadows),
        ("text", Size(width: 480, height: 250), text),
    ]

    static func main() throws {
        guard CommandLine.arguments.count == 2 else { return print("usage: DrawingPictures FOLDER") }
        for picture in all {
            let bitmap = try BitmapContext(size: picture.size, isOpaque: true, scale: 2)
            bitmap.fillColor = .white
            bitmap.fill(Rect(origin: .zero, size: picture.size))
            bitmap.fillColor = .black
            bitmap.draw { picture.draw(bitmap) }
            // DocC derives the scale from the file name.
            try bitmap.makeImage().writePNG(to: "\(CommandLine.arguments[1])/\(picture.name)@2x.png")
        }
    }

    /// Draws a name below a sample.
    static func label(_ text: String, below rect: Rect) {
        let font = Font.system(ofSize: 9)
        let size = text.size(with: font)
        text.draw(at: Point(x: rect.minX + (rect.width - size.width) / 2, y: rect.maxY + 4), with: font)
    }
}
