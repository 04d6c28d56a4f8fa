import PrintKitUIKitNames
import Testing

/// Tests of images that a program finds by their names.
struct ImageNameTests {
    @Test func `an image of the program is found by its name, with and without an extension`() throws {
        let folder = Bundle.main.resourcePath ?? Bundle.main.bundlePath
        let name = "image-\(UUID().uuidString)"
        let path = "\(folder)/\(name).png"
        try Image(width: 3, height: 2, rgb: [UInt8](repeating: 0, count: 18)).writePNG(to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(UIImage(named: name)?.size == CGSize(width: 3, height: 2))
        #expect(UIImage(named: "\(name).png")?.size == CGSize(width: 3, height: 2))
        #expect(UIImage(named: "\(name).gif")?.size == nil)
    }

    @Test func `a low-level image has the color space and the bits of its pixels`() throws {
        let image = try #require(try Image(width: 3, height: 2, rgb: [UInt8](repeating: 0, count: 18)).cgImage)
        #expect(image.colorSpace?.numberOfComponents == 3 && image.bitsPerComponent == 8 && image.bitsPerPixel == 32)
        #expect(image.bytesPerRow * image.height == image.dataProvider?.data?.count)
    }
}
