// Draws badges with a round picture, a shadow and a name.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

struct Badge {
    let name: String
    let color: UIColor
}

func badgeSheet(_ badges: [Badge], photo: UIImage) -> Data {
    let page = CGRect(x: 0, y: 0, width: 595, height: 842)
    return UIGraphicsPDFRenderer(bounds: page).pdfData { rendererContext in
        rendererContext.beginPage()
        let context = rendererContext.cgContext
        for (index, badge) in badges.enumerated() {
            let frame = CGRect(x: 40 + index % 2 * 265, y: 40 + index / 2 * 190, width: 250, height: 170)
            draw(badge, photo: photo, in: frame, context)
        }
    }
}

private func draw(_ badge: Badge, photo: UIImage, in frame: CGRect, _ context: CGContext) {
    context.saveGState()
    context.setShadow(offset: CGSize(width: 2, height: 3), blur: 4, color: UIColor(white: 0, alpha: 0.4).cgColor)
    UIColor.white.setFill()
    let card = UIBezierPath(roundedRect: frame, cornerRadius: 12)
    card.fill()
    context.restoreGState()

    context.saveGState()
    card.addClip()
    badge.color.withAlphaComponent(0.8).setFill()
    UIRectFill(CGRect(x: frame.minX, y: frame.minY, width: frame.width, height: 40))
    context.restoreGState()

    let circle = CGRect(x: frame.minX + 20, y: frame.minY + 60, width: 90, height: 90)
    context.saveGState()
    context.addPath(CGPath(ellipseIn: circle, transform: nil))
    context.clip(using: .evenOdd)
    context.translateBy(x: 0, y: circle.minY + circle.maxY)
    context.scaleBy(x: 1, y: -1)
    if let image = photo.cgImage { context.draw(image, in: circle) }
    context.restoreGState()

    let style = NSMutableParagraphStyle()
    style.alignment = .center
    style.lineBreakMode = .byWordWrapping
    let text = NSAttributedString(
        string: badge.name,
        attributes: [
            .font: UIFont(name: "Helvetica-Bold", size: 18)!, .foregroundColor: badge.color, .paragraphStyle: style,
        ])
    text.draw(in: CGRect(x: circle.maxX + 10, y: circle.minY + 20, width: 120, height: 60))
}
