// Prints recipes with a header and a page number on every page.
// iOS code: only `import UIKit` was replaced.

import PrintKitUIKitNames

struct Recipe {
    var title: String
    var ingredients: [String]
    var steps: String
}

final class RecipePageRenderer: UIPrintPageRenderer {
    private let author: String

    init(author: String, recipes: [Recipe]) {
        self.author = author
        super.init()
        headerHeight = 40
        footerHeight = 30
        let formatter = UISimpleTextPrintFormatter(attributedText: Self.text(of: recipes))
        formatter.perPageContentInsets = UIEdgeInsets(top: 60, left: 54, bottom: 54, right: 54)
        addPrintFormatter(formatter, startingAtPageAt: 0)
    }

    private static func text(of recipes: [Recipe]) -> NSAttributedString {
        let heading = NSMutableParagraphStyle()
        heading.paragraphSpacingBefore = 18
        heading.paragraphSpacing = 6
        let list = NSMutableParagraphStyle()
        list.firstLineHeadIndent = 18
        list.headIndent = 18
        let text = NSMutableAttributedString()
        for recipe in recipes {
            text.append(
                NSAttributedString(
                    string: recipe.title + "\n",
                    attributes: [
                        .font: UIFont.boldSystemFont(ofSize: 20), .foregroundColor: UIColor.brown,
                        .paragraphStyle: heading,
                    ]))
            for ingredient in recipe.ingredients {
                text.append(
                    NSAttributedString(
                        string: "• \(ingredient)\n",
                        attributes: [.font: UIFont.italicSystemFont(ofSize: 13), .paragraphStyle: list]))
            }
            text.append(
                NSAttributedString(
                    string: recipe.steps + "\n", attributes: [.font: UIFont.systemFont(ofSize: 13)]))
        }
        return text
    }

    override func drawHeaderForPage(at pageIndex: Int, in headerRect: CGRect) {
        let attributes: [NSAttributedString.Key: Any] = [
            .font: UIFont.systemFont(ofSize: 11, weight: .medium), .foregroundColor: UIColor.darkGray,
        ]
        let size = author.size(withAttributes: attributes)
        author.draw(
            at: CGPoint(x: headerRect.midX - size.width / 2, y: headerRect.maxY - size.height),
            withAttributes: attributes)
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.setStrokeColor(UIColor.lightGray.cgColor)
        context.setLineWidth(0.5)
        context.move(to: CGPoint(x: headerRect.minX, y: headerRect.maxY))
        context.addLine(to: CGPoint(x: headerRect.maxX, y: headerRect.maxY))
        context.strokePath()
    }

    override func drawFooterForPage(at pageIndex: Int, in footerRect: CGRect) {
        let style = NSMutableParagraphStyle()
        style.alignment = .right
        let number = NSAttributedString(
            string: "Page \(pageIndex + 1) of \(numberOfPages)",
            attributes: [.font: UIFont.systemFont(ofSize: 10), .paragraphStyle: style])
        number.draw(in: footerRect.insetBy(dx: 54, dy: 6))
    }
}

@MainActor
func printRecipes(_ recipes: [Recipe], completion: @escaping (Bool) -> Void) {
    let controller = UIPrintInteractionController.shared
    let printInfo = UIPrintInfo(dictionary: nil)
    printInfo.jobName = "Recipes"
    controller.printInfo = printInfo
    controller.printPageRenderer = RecipePageRenderer(author: "Grandmother's recipes", recipes: recipes)
    controller.present(animated: true) { _, completed, _ in completion(completed) }
}
