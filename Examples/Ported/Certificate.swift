// Draws a certificate with a border and a seal.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

struct Certificate {
    let name: String

    func data() -> Data {
        let page = CGRect(x: 0, y: 0, width: 842, height: 595)
        return UIGraphicsPDFRenderer(bounds: page).pdfData { context in
            context.beginPage()
            drawBorder(in: page.insetBy(dx: 36, dy: 36))
            drawSeal(at: CGPoint(x: page.midX, y: page.maxY - 130), radius: 45, in: context.cgContext)
            draw("Certificate", y: 120, font: UIFont.systemFont(ofSize: 54, weight: .light), in: page)
            draw("awarded to", y: 220, font: UIFont.italicSystemFont(ofSize: 20), in: page)
            draw(name, y: 270, font: UIFont.boldSystemFont(ofSize: 40), in: page)
        }
    }

    private func draw(_ text: String, y: CGFloat, font: UIFont, in page: CGRect) {
        let attributes: [NSAttributedString.Key: Any] = [
            .font: font, .foregroundColor: UIColor(hue: 0.6, saturation: 0.8, brightness: 0.3, alpha: 1), .kern: 2,
        ]
        let size = text.size(withAttributes: attributes)
        text.draw(at: CGPoint(x: page.midX - size.width / 2, y: y), withAttributes: attributes)
    }

    private func drawBorder(in rect: CGRect) {
        let border = UIBezierPath(roundedRect: rect, cornerRadius: 24)
        border.append(UIBezierPath(roundedRect: rect.insetBy(dx: 10, dy: 10), cornerRadius: 16))
        border.usesEvenOddFillRule = true
        UIColor(red: 0.75, green: 0.6, blue: 0.2, alpha: 1).setFill()
        border.fill()
    }

    private func drawSeal(at center: CGPoint, radius: CGFloat, in context: CGContext) {
        context.saveGState()
        context.translateBy(x: center.x, y: center.y)
        UIColor.systemRed.setFill()
        for _ in 0..<12 {
            let ray = UIBezierPath()
            ray.move(to: CGPoint(x: -radius * 0.3, y: 0))
            ray.addQuadCurve(to: CGPoint(x: radius * 0.3, y: 0), controlPoint: CGPoint(x: 0, y: -radius * 2.4))
            ray.close()
            ray.fill()
            context.rotate(by: .pi / 6)
        }
        UIColor.white.setStroke()
        let ring = UIBezierPath(
            arcCenter: .zero, radius: radius * 0.6, startAngle: 0, endAngle: .pi * 2, clockwise: true)
        ring.lineWidth = 3
        let dashes: [CGFloat] = [6, 4]
        ring.setLineDash(dashes, count: 2, phase: 0)
        ring.stroke()
        context.restoreGState()
    }
}
