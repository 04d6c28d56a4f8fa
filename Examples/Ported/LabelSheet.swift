// Draws address labels on a sheet of three columns and eight rows.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

struct LabelSheet {
    var addresses: [String]
    let page = CGRect(x: 0, y: 0, width: 595.2, height: 841.8)
    let margins = UIEdgeInsets(top: 36, left: 20, bottom: 36, right: 20)

    private func frame(at index: Int) -> CGRect {
        let area = page.inset(by: margins)
        let (width, height) = (area.width / 3, area.height / 8)
        let (row, column) = index.quotientAndRemainder(dividingBy: 3)
        return CGRect(
            x: area.minX + CGFloat(column) * width, y: area.minY + CGFloat(row) * height, width: width, height: height)
    }

    func pdf() -> Data {
        let format = UIGraphicsPDFRendererFormat()
        format.documentInfo = [kCGPDFContextTitle as String: "Labels", kCGPDFContextAuthor as String: "Office"]
        let renderer = UIGraphicsPDFRenderer(bounds: page, format: format)
        return renderer.pdfData { context in
            for (number, address) in addresses.enumerated() {
                if number % 24 == 0 { context.beginPage() }
                let frame = frame(at: number % 24)
                UIColor(white: 0.85, alpha: 1).setStroke()
                context.stroke(frame)
                let text = frame.insetBy(dx: 12, dy: 10)
                address.draw(
                    with: text, options: [.usesLineFragmentOrigin, .truncatesLastVisibleLine],
                    attributes: [.font: UIFont.systemFont(ofSize: 11)], context: nil)
            }
        }
    }
}
