// A program that prints photos, six per page, each with its name below.
//
//     swift run PhotoSheet sheet.pdf beach.jpg hills.png …
//     swift run PhotoSheet --printer inkjet beach.jpg hills.png …
//
// Without arguments for photos, the program paints some.

import ExampleRun
import FoundationEssentials
import PrintKit

@main
struct PhotoSheet {
    @MainActor static func main() async {
        await runExample(
            "PhotoSheet (OUTPUT | --printer PRINTER) [PHOTO…]", CommandLine.arguments.dropFirst(), printSheet)
    }

    @MainActor static func printSheet(_ controller: PrintInteractionController, of paths: [String]) async throws {
        let photos = try paths.map { path in
            Photo(image: try Image(contentsOfFile: path), name: URL(filePath: path).lastPathComponent)
        }
        controller.printInfo.outputType = .general
        controller.printInfo.jobName = "Photos"
        controller.printPageRenderer = PhotoSheetRenderer(photos.isEmpty ? try Photo.painted() : photos)
        try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
    }
}

/// An image and its name.
struct Photo {
    var image: Image
    var name: String

    /// Returns painted sunsets in portrait and landscape format.
    static func painted() throws -> [Photo] {
        try (1...8).map { number in
            let size = number % 3 == 0 ? Size(width: 300, height: 400) : Size(width: 400, height: 300)
            let bitmap = try BitmapContext(size: size, isOpaque: true)
            let sky = Gradient(colors: [Color(hue: Double(number) / 9, saturation: 0.7, brightness: 0.9), .white])
            bitmap.drawLinearGradient(sky, from: .zero, to: Point(x: 0, y: size.height))
            bitmap.fillColor = .orange
            let radius = 20 + 6 * Double(number)
            bitmap.draw {
                BezierPath(
                    ovalIn: Rect(
                        x: size.width / 2 - radius, y: size.height * 0.6 - radius, width: 2 * radius, height: 2 * radius
                    )
                ).fill()
            }
            return Photo(image: try bitmap.makeImage(), name: "Sunset \(number)")
        }
    }
}

/// A renderer that draws photos in two columns and three rows per page, each as large as its cell allows.
final class PhotoSheetRenderer: PrintPageRenderer {
    private let photos: [Photo]
    private let (columns, rows, gap) = (2, 3, 18.0)
    private let font = Font.system(ofSize: 9)

    init(_ photos: [Photo]) { self.photos = photos }

    override var numberOfPages: Int { (photos.count + columns * rows - 1) / (columns * rows) }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        let area = Rect(
            x: rect.minX + 2 * gap, y: rect.minY + 2 * gap, width: rect.width - 4 * gap, height: rect.height - 4 * gap)
        for (place, photo) in photos.dropFirst(index * columns * rows).prefix(columns * rows).enumerated() {
            draw(photo, in: cell(place, of: area))
        }
    }

    private func cell(_ place: Int, of area: Rect) -> Rect {
        let width = (area.width - gap * Double(columns - 1)) / Double(columns)
        let height = (area.height - gap * Double(rows - 1)) / Double(rows)
        return Rect(
            x: area.minX + Double(place % columns) * (width + gap),
            y: area.minY + Double(place / columns) * (height + gap),
            width: width, height: height)
    }

    private func draw(_ photo: Photo, in cell: Rect) {
        let caption = photo.name.size(with: font)
        let room = cell.height - caption.height - 4
        let scale = min(cell.width / photo.image.size.width, room / photo.image.size.height)
        let size = Size(width: photo.image.size.width * scale, height: photo.image.size.height * scale)
        let top = cell.minY + (room - size.height) / 2
        photo.image.draw(in: Rect(x: cell.midX - size.width / 2, y: top, width: size.width, height: size.height))
        photo.name.draw(at: Point(x: cell.midX - caption.width / 2, y: top + size.height + 4), with: font)
    }
}
