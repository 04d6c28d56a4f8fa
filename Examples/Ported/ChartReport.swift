// Draws a bar chart and a line chart with the calls of Core Graphics.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

final class ChartReport: UIPrintPageRenderer {
    let values: [CGFloat] = [12, 19, 7, 22, 16, 9, 25]

    override var numberOfPages: Int { 1 }

    override func drawContentForPage(at pageIndex: Int, in contentRect: CGRect) {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        let area = contentRect.insetBy(dx: 54, dy: 54)
        let (bars, rest) = area.divided(atDistance: area.height / 2, from: .minYEdge)
        drawBars(in: bars.insetBy(dx: 0, dy: 20), context)
        drawLine(in: rest.insetBy(dx: 0, dy: 20), context)
    }

    private func drawBars(in area: CGRect, _ context: CGContext) {
        context.saveGState()
        defer { context.restoreGState() }
        context.translateBy(x: area.minX, y: area.maxY)
        context.scaleBy(x: 1, y: -1)
        let width = area.width / CGFloat(values.count)
        for (index, value) in values.enumerated() {
            let bar = CGRect(
                x: CGFloat(index) * width + 6, y: 0, width: width - 12, height: area.height * value / 25)
            context.setFillColor(red: 0.2, green: 0.4, blue: 0.4 + value / 50, alpha: 1)
            context.fill(bar)
        }
        context.setLineWidth(2)
        context.setStrokeColor(gray: 0.2, alpha: 1)
        context.addLines(between: [CGPoint(x: 0, y: area.height), .zero, CGPoint(x: area.width, y: 0)])
        context.strokePath()
    }

    private func drawLine(in area: CGRect, _ context: CGContext) {
        let step = area.width / CGFloat(values.count - 1)
        let points = values.enumerated().map { index, value in
            CGPoint(x: area.minX + CGFloat(index) * step, y: area.maxY - area.height * value / 25)
        }
        let path = CGMutablePath()
        path.addLines(between: points)
        path.addLine(to: CGPoint(x: area.maxX, y: area.maxY))
        path.addLine(to: CGPoint(x: area.minX, y: area.maxY))
        path.closeSubpath()
        context.saveGState()
        context.addPath(path)
        context.clip()
        context.setAlpha(0.5)
        context.setFillColor(UIColor.systemGreen.cgColor)
        context.fill(area)
        context.restoreGState()

        context.setLineDash(phase: 0, lengths: [6, 3])
        context.setLineJoin(.round)
        context.addLines(between: points)
        context.strokePath()
        context.setLineDash(phase: 0, lengths: [])
        for point in points {
            context.addEllipse(in: CGRect(x: point.x - 4, y: point.y - 4, width: 8, height: 8))
        }
        context.setFillColor(UIColor.white.cgColor)
        context.drawPath(using: .fillStroke)
    }
}

@MainActor
func printReport(completion: @escaping (Bool) -> Void) {
    let controller = UIPrintInteractionController.shared
    let printInfo = UIPrintInfo(dictionary: nil)
    printInfo.jobName = "Report"
    controller.printInfo = printInfo
    controller.printPageRenderer = ChartReport()
    controller.present(animated: true) { _, completed, _ in completion(completed) }
}
