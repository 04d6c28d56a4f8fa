// Draws small copies of images with captions, as many pages as needed.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

struct ContactSheet {
    let images: [UIImage]

    private func thumbnail(of image: UIImage, side: CGFloat) -> UIImage? {
        UIGraphicsBeginImageContextWithOptions(CGSize(width: side, height: side), true, 0)
        defer { UIGraphicsEndImageContext() }
        UIColor.white.setFill()
        UIRectFill(CGRect(x: 0, y: 0, width: side, height: side))
        let scale = min(side / image.size.width, side / image.size.height)
        let size = CGSize(width: image.size.width * scale, height: image.size.height * scale)
        image.draw(
            in: CGRect(x: (side - size.width) / 2, y: (side - size.height) / 2, width: size.width, height: size.height))
        return UIGraphicsGetImageFromCurrentImageContext()
    }

    func write(to path: String) -> Bool {
        guard UIGraphicsBeginPDFContextToFile(path, CGRect(x: 0, y: 0, width: 612, height: 792), nil) else {
            return false
        }
        let caption: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 9)]
        for (index, image) in images.enumerated() {
            if index % 12 == 0 { UIGraphicsBeginPDFPage() }
            let (row, column) = (index % 12 / 3, index % 3)
            let frame = CGRect(x: 54 + column * 172, y: 54 + row * 176, width: 150, height: 150)
            thumbnail(of: image, side: 150)?.draw(in: frame)
            UIColor.black.setFill()
            UIRectFrame(frame)
            let name = String(format: "IMG_%04d", index + 1)
            let size = name.size(withAttributes: caption)
            name.draw(at: CGPoint(x: frame.midX - size.width / 2, y: frame.maxY + 4), withAttributes: caption)
        }
        UIGraphicsEndPDFContext()
        return true
    }
}
