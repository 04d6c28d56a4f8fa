// Prints a photo, in landscape if it is wider than high.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

class PhotoPrinting: NSObject, UIPrintInteractionControllerDelegate {
    let photo: UIImage

    init(photo: UIImage) {
        self.photo = photo
        super.init()
    }

    func printPhoto(completion: @escaping (Bool) -> Void) {
        guard UIPrintInteractionController.isPrintingAvailable else { return completion(false) }
        let controller = UIPrintInteractionController.shared
        controller.delegate = self
        let printInfo = UIPrintInfo(dictionary: nil)
        printInfo.outputType = .photo
        printInfo.jobName = "Photo"
        printInfo.orientation = photo.size.width > photo.size.height ? .landscape : .portrait
        controller.printInfo = printInfo
        controller.printingItem = photo
        controller.present(animated: true) { _, completed, error in
            if let error = error as NSError? {
                NSLog("Printing failed: %@ (%d)", error.domain, error.code)
            }
            completion(completed)
        }
    }

    func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
    ) -> UIPrintPaper {
        let pageSize = CGSize(width: 4 * 72, height: 6 * 72)
        return UIPrintPaper.bestPaper(forPageSize: pageSize, withPapersFrom: paperList)
    }
}

/// Draws a beach at sunset.
func makePhoto() -> UIImage {
    let size = CGSize(width: 600, height: 400)
    return UIGraphicsImageRenderer(size: size).image { rendererContext in
        let context = rendererContext.cgContext
        let colors = [UIColor.systemOrange.cgColor, UIColor.systemPurple.cgColor] as CFArray
        guard
            let sky = CGGradient(
                colorsSpace: CGColorSpaceCreateDeviceRGB(), colors: colors, locations: [0.0, 1.0])
        else { return }
        context.drawLinearGradient(
            sky, start: CGPoint(x: 0, y: 260), end: CGPoint(x: 0, y: 0), options: .drawsBeforeStartLocation)
        UIColor.systemYellow.setFill()
        UIBezierPath(ovalIn: CGRect(x: 240, y: 160, width: 120, height: 120)).fill()
        UIColor(red: 0.1, green: 0.2, blue: 0.5, alpha: 1).setFill()
        rendererContext.fill(CGRect(x: 0, y: 260, width: size.width, height: 140))
    }
}
