// UIKit's names of images.

public import Foundation
public import PrintKit

extension UIImage {
    /// UIKit's name of the orientation.
    public typealias ImageOrientation = Orientation

    /// Reads an image from data; `nil` if the data is not an image.
    public init?(data: Data) { self.init(data: data, scale: 1.0) }

    /// Reads an image from data with a number of pixels per point; `nil` if the data is not an image.
    public init?(data: Data, scale: CGFloat) {
        guard let image = try? Image(data: data, scale: scale, maximumPixels: Image.maximumPixels) else { return nil }
        self = image
    }

    /// Reads an image file; `nil` if the file is not an image.
    public init?(contentsOfFile path: String) {
        guard let image = try? Image(contentsOfFile: path, outputScale: 2) else { return nil }
        self = image
    }

    /// Reads an image of the program: a file in the resources of the main bundle; `nil` if there is none.
    ///
    /// - Parameter name: The name of the file. Without an extension, the name of a PNG or JPEG file.
    public init?(named name: String) {
        let folder = Bundle.main.resourcePath ?? Bundle.main.bundlePath
        let names = [name, "\(name).png", "\(name).jpg", "\(name).jpeg"]
        for name in names {
            guard let image = UIImage(contentsOfFile: "\(folder)/\(name)") else { continue }
            self = image
            return
        }
        return nil
    }

    /// Creates an image of a low-level image, with one pixel per point.
    public init(cgImage: CGImage) { self = cgImage.image }

    /// Creates an image of a low-level image.
    public init(cgImage: CGImage, scale: CGFloat, orientation: ImageOrientation) {
        self = cgImage.image.with(scale: scale, orientation: orientation)
    }

    /// The stored pixels, without scale and orientation.
    public var cgImage: CGImage? { CGImage(with(scale: 1, orientation: .up)) }

    /// The rotation and mirroring of the stored pixels.
    public var imageOrientation: ImageOrientation { orientation }

    /// Returns the image as PNG data; `nil` if the image cannot be decoded.
    public func pngData() -> Data? { try? pngData(compression: 6) }

    /// Returns the image as JPEG data; `nil` if the image cannot be decoded.
    public func jpegData(compressionQuality: CGFloat) -> Data? { try? jpegData(quality: compressionQuality) }

    /// Returns an image whose edges keep their size when it is stretched.
    public func resizableImage(withCapInsets capInsets: UIEdgeInsets) -> UIImage { resizable(withCapInsets: capInsets) }
}
