// Draws the test page for `printq printers test-page`.
//
//     print-test-page ORDER.json FILE.pdf

import FoundationEssentials
import Glibc
import PrintGraphics
import PrintModel
import PrintTestPage

@main
enum PrintTestPageProgram {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: print-test-page ORDER.json FILE.pdf", 64) }
        do {
            let data = try Data(contentsOf: URL(filePath: arguments[1]))
            let order = try JSONDecoder().decode(TestPageOrder.self, from: data)
            try TestPage(order).write(to: arguments[2])
        } catch let error as GraphicsError {
            fail("\(error)", 74)
        } catch {
            fail("'\(arguments[1])' is not a valid request for a test page: \(error)", 65)
        }
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        let line = "print-test-page: \(message)\n"
        _ = line.withCString { write(2, $0, strlen($0)) }
        exit(code)
    }
}
