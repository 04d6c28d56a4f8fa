// Prints a view that draws the days of a month.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

class CalendarView: UIView {
    var firstWeekday = 0
    var numberOfDays = 30
    var title = ""

    override func draw(_ rect: CGRect) {
        let heading: [NSAttributedString.Key: Any] = [.font: UIFont.preferredFont(forTextStyle: .title1)]
        title.draw(at: CGPoint(x: 8, y: 4), withAttributes: heading)

        let grid = CGRect(x: 0, y: 48, width: bounds.width, height: bounds.height - 48)
        let cell = CGSize(width: grid.width / 7, height: grid.height / 6)
        UIColor.systemGray.setStroke()
        for index in 0..<42 {
            let frame = CGRect(
                x: grid.minX + CGFloat(index % 7) * cell.width, y: grid.minY + CGFloat(index / 7) * cell.height,
                width: cell.width, height: cell.height)
            if index % 7 > 4 {
                UIColor(white: 0.93, alpha: 1).setFill()
                UIRectFill(frame)
            }
            UIBezierPath(rect: frame).stroke()
            let day = index - firstWeekday + 1
            guard (1...numberOfDays).contains(day) else { continue }
            let color: UIColor = index % 7 == 6 ? .systemRed : .label
            "\(day)".draw(
                at: frame.offsetBy(dx: 5, dy: 3).origin,
                withAttributes: [.font: UIFont.systemFont(ofSize: 14), .foregroundColor: color])
        }
    }
}

@MainActor
func printCalendar(completion: @escaping (Bool) -> Void) {
    let view = CalendarView(frame: CGRect(x: 0, y: 0, width: 480, height: 480))
    view.backgroundColor = .white
    view.title = "March 2027"
    view.firstWeekday = 0
    view.numberOfDays = 31
    let controller = UIPrintInteractionController.shared
    let printInfo = UIPrintInfo(dictionary: nil)
    printInfo.jobName = "Calendar"
    controller.printInfo = printInfo
    let formatter = view.viewPrintFormatter()
    formatter.contentInsets = UIEdgeInsets(top: 54, left: 54, bottom: 54, right: 54)
    controller.printFormatter = formatter
    controller.present(animated: true) { _, completed, _ in completion(completed) }
}
