// Draws a receipt for a paper roll, as long as its text.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

final class ReceiptPrinting {
    private let lines: [(name: String, cents: Int)]
    private let width: CGFloat = 80 / 25.4 * 72

    init(lines: [(name: String, cents: Int)]) { self.lines = lines }

    private func price(_ cents: Int) -> String { String(format: "%d.%02d", cents / 100, cents % 100) }

    private var text: NSAttributedString {
        let style = NSMutableParagraphStyle()
        style.tabStops = [NSTextTab(textAlignment: .right, location: width - 24, options: [:])]
        style.lineSpacing = 2
        let normal: [NSAttributedString.Key: Any] = [
            .font: UIFont.monospacedSystemFont(ofSize: 10, weight: .regular), .paragraphStyle: style,
        ]
        let text = NSMutableAttributedString(string: "CORNER SHOP\n\n", attributes: normal)
        for line in lines {
            text.append(NSAttributedString(string: "\(line.name)\t\(price(line.cents))\n", attributes: normal))
        }
        var strong = normal
        strong[.font] = UIFont.monospacedSystemFont(ofSize: 12, weight: .bold)
        strong[.underlineStyle] = NSUnderlineStyle.double.rawValue
        let total = lines.reduce(0) { $0 + $1.cents }
        text.append(NSAttributedString(string: "TOTAL\t\(price(total))", attributes: strong))
        return text
    }

    func makePDF() -> NSMutableData {
        let text = self.text
        let room = CGSize(width: width - 24, height: .greatestFiniteMagnitude)
        let size = text.boundingRect(with: room, options: .usesLineFragmentOrigin, context: nil).integral.size
        let data = NSMutableData()
        UIGraphicsBeginPDFContextToData(data, .zero, [kCGPDFContextTitle: "Receipt"])
        UIGraphicsBeginPDFPageWithInfo(CGRect(x: 0, y: 0, width: width, height: size.height + 48), nil)
        text.draw(in: CGRect(x: 12, y: 24, width: size.width + 1, height: size.height + 1))
        UIGraphicsEndPDFContext()
        return data
    }
}
