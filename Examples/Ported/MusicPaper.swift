// Draws paper with staves for music.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

final class MusicPaper: UIPrintPageRenderer {
    private let staves = 10

    override var numberOfPages: Int { 1 }

    override func drawPage(at pageIndex: Int, in printableRect: CGRect) {
        super.drawPage(at: pageIndex, in: printableRect)
        guard let context = UIGraphicsGetCurrentContext() else { return }
        let area = printableRect.inset(by: UIEdgeInsets(top: 36, left: 18, bottom: 36, right: 18))
        let distance = area.height / CGFloat(staves)
        context.setLineWidth(0.6)
        context.setLineCap(.square)
        for staff in 0..<staves {
            let top = area.minY + CGFloat(staff) * distance
            for line in 0..<5 {
                let y = top + CGFloat(line) * 7
                context.move(to: CGPoint(x: area.minX, y: y))
                context.addLine(to: CGPoint(x: area.maxX, y: y))
            }
            context.addRect(CGRect(x: area.minX, y: top, width: 2, height: 28))
            context.drawPath(using: .fillStroke)
        }
    }

    /// Draws the page without a printer, with the sizes that a printer would have.
    func pdf(paper: CGRect) -> Data {
        setValue(NSValue(cgRect: paper), forKey: "paperRect")
        setValue(NSValue(cgRect: paper.insetBy(dx: 18, dy: 18)), forKey: "printableRect")
        let data = NSMutableData()
        UIGraphicsBeginPDFContextToData(data, paperRect, nil)
        prepare(forDrawingPages: NSRange(location: 0, length: numberOfPages))
        for page in 0..<numberOfPages {
            UIGraphicsBeginPDFPage()
            drawPage(at: page, in: printableRect)
        }
        UIGraphicsEndPDFContext()
        return data as Data
    }
}
