// Calculates the page for an image, and the position of the image on the page.

import PrintModel

/// The size of a page and the position of the image on the page.
struct ImagePlacement {
    /// The size of the page in points.
    let pageSize: Size
    /// The transform from the unit square of the stored image to the page, in points; y grows upwards.
    let transform: PlaneTransform
    /// Whether the page has the size that the image file declares.
    let hasSize: Bool

    /// The maximum width and height of a page in points (ISO 32000-1 annex C).
    private static let longestSide = 14_400.0
    /// The minimum width and height of a page in points.
    ///
    /// poppler draws nothing on a page whose size rounds to 0.
    private static let shortestSide = 1.0

    /// Places an image on a page.
    ///
    /// If the layout requires that images fill the page, the page has the size that the layout sets. Otherwise, the
    /// page has the size of the image.
    init(_ image: ImageProperties, layout: ConversionLayout) {
        if layout.fillsPage, layout.pageSize.width >= 1, layout.pageSize.height >= 1 {
            self.init(filling: layout.pageSize, with: image)
        } else {
            self.init(of: image)
        }
    }

    /// Creates a page with the size of the image.
    ///
    /// If a PDF does not support this size, the page has the nearest supported size.
    private init(of image: ImageProperties) {
        let size = image.shownSize
        let smaller = min(Self.longestSide / max(size.width, size.height), 1)
        let larger = max(Self.shortestSide / min(size.width, size.height), 1)
        func bounded(_ length: Double) -> Double {
            max(Self.shortestSide, min(length * (smaller < 1 ? smaller : larger), Self.longestSide))
        }
        pageSize = Size(width: bounded(size.width), height: bounded(size.height))
        hasSize = image.density != nil && smaller == 1 && larger == 1
        transform = image.orientation.transform.then(.scale(pageSize.width, pageSize.height))
    }

    /// Scales and centers the image so that the image fills a page.
    ///
    /// If the image and the page have different proportions, two opposite edges of the image are cut off.
    ///
    /// The initializer turns the image by 90° if this reduces the area that is cut off.
    private init(filling page: Size, with image: ImageProperties) {
        let size = image.shownSize
        func factor(_ width: Double, _ height: Double) -> Double { max(page.width / width, page.height / height) }
        // The image is enlarged by the same factors, so a smaller factor means that less of it is cropped.
        let (upright, turned) = (factor(size.width, size.height), factor(size.height, size.width))
        let isTurned = turned < upright * 0.999
        let scale = isTurned ? turned : upright
        let width = (isTurned ? size.height : size.width) * scale
        let height = (isTurned ? size.width : size.height) * scale
        let shown = isTurned ? image.orientation.transform.then(.quarterTurn) : image.orientation.transform
        pageSize = page
        hasSize = true
        transform = shown.then(.scale(width, height))
            .then(.translation((page.width - width) / 2, (page.height - height) / 2))
    }
}
