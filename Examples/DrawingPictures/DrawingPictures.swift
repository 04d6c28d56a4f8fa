// The pictures of PrintGraphics' documentation, drawn by what they show.

import PrintGraphics

/// One picture after another: `DrawingPictures FOLDER`.
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
            // DocC takes the scale from the name.
            try bitmap.makeImage().writePNG(to: "\(CommandLine.arguments[1])/\(picture.name)@2x.png")
        }
    }

    /// A name below a sample.
    static func label(_ text: String, below rect: Rect) {
        let font = Font.system(ofSize: 9)
        let size = text.size(with: font)
        text.draw(at: Point(x: rect.minX + (rect.width - size.width) / 2, y: rect.maxY + 4), with: font)
    }
}
