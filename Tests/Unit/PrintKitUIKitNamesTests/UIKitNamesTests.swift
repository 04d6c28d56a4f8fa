import Foundation
import Testing

/// Tests of the generated article about UIKit's names.
struct UIKitNamesTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the article about UIKit's names is equal to the names of the sources and the data`() throws {
        let page = try UIKitNamesPage(root: root)
        let path = root.appendingPathComponent("Sources/PrintKit/PrintKit/PrintKit.docc/FromUIKit.md")
        if ProcessInfo.processInfo.environment["PRINTQ_WRITE_UIKIT_NAMES"] != nil {
            try page.text.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == page.text,
            """
            FromUIKit.md is outdated; update with: \
            PRINTQ_WRITE_UIKIT_NAMES=1 scripts/test --filter UIKitNamesTests
            """)
    }

    @Test func `the page lists every public declaration of the module`() throws {
        let page = try UIKitNamesPage(root: root)
        let names = page.declarations.map(\.name)
        #expect(
            Set(names).isSuperset(of: ["UIColor", "UIBezierPath", "UIRectFill", "kCGPDFContextTitle", "NSTextTab"]))
        #expect(names.count == Set(names).count && names.count > 100)
        let declared = page.sources.joined().matches(
            of: /(?m)^(?:public|open) (?:final )?(?:typealias|class|struct|enum|protocol|func|let) (\w+)/)
        #expect(Set(declared.map { String($0.1) }) == Set(names))
        let members = Dictionary(uniqueKeysWithValues: page.members)
        #expect(members["CGContext"]?.contains("setFillColor(red:green:blue:alpha:)") == true)
        #expect(members["Rect"]?.contains("insetBy(dx:dy:)") == true && members["Rect"]?.contains("integral") == true)
        #expect(members["UIFont"]?.contains("init(name:size:)") == true)
    }

    @Test func `each name of the guides has an equal name that exists, or a reason`() throws {
        let page = try UIKitNamesPage(root: root)
        #expect(page.source.guide.count >= 140)
        let folder = root.appendingPathComponent("Sources")
        let sources = try ["PrintKit", "Model/Geometry", "Model/PrintModel"].flatMap { part in
            try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent(part).path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appendingPathComponent("\(part)/\($0)"), encoding: .utf8) }
        }.joined()
        for (name, equal) in page.source.guide {
            #expect(!equal.isEmpty)
            if equal.hasPrefix("none: ") || equal.contains("Foundation") || equal == "the same" { continue }
            for code in equal.matches(of: /`([^`]+)`/) {
                for word in String(code.1).matches(of: /[A-Za-z]\w+/) {
                    let isThere = sources.contains(String(word.0)) || ["Int", "Range", "import"].contains(word.0)
                    #expect(isThere, "\(name): '\(word.0)' is not in the sources")
                }
            }
        }
    }
}
