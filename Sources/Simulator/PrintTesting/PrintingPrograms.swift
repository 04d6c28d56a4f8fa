// Finds the programs and files of printq from a test of another package.

import FoundationEssentials
import Glibc
import ProcessLaunch

package struct PrintingPrograms {
    /// The path of `printsim`.
    ///
    /// `print-worker` is in the same folder, or in `../libexec/printq` of an installation.
    package var printsim: String
    /// The folder of the printer files in this checkout; nil if the checkout was moved after the build, or if the
    /// environment sets `PRINTSIM_SIMULATORS`.
    package var simulators: String?

    /// Looks for the programs: in `$PRINTQ_PROGRAMS` if the variable is set, otherwise in the folder of the tests, then
    /// in `PATH`.
    ///
    /// If the test target depends on the products `printsim` and `print-worker`, SwiftPM builds both programs in the
    /// folder of the tests.
    ///
    /// - Throws: `programMissing`.
    package static func found() throws(PrintTestingError) -> PrintingPrograms {
        let environment = ProcessInfo.processInfo.environment
        let folders =
            environment["PRINTQ_PROGRAMS"].map { [$0] }
            ?? testFolders + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let folder = folders.first(where: { access("\($0)/printsim", X_OK) == 0 }) else {
            throw missing("printsim", in: environment["PRINTQ_PROGRAMS"])
        }
        // An installed printsim is in PREFIX/bin, and print-worker in PREFIX/libexec/printq.
        let workers = ["\(folder)/print-worker", "\(folder)/../libexec/printq/print-worker"]
        guard workers.contains(where: { access($0, X_OK) == 0 }) else { throw missing("print-worker", in: folder) }
        return PrintingPrograms(printsim: "\(folder)/printsim", simulators: ownSimulators(environment))
    }

    /// The folders that can contain the running tests: the folder of this program, the folders of the loaded test
    /// bundles, and the folder of the first command-line argument.
    private static var testFolders: [String] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        // The sixth column is the path. The path can contain spaces.
        let bundles = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }.compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return ([Programs.beside("tests")] + bundles + CommandLine.arguments.prefix(1)).compactMap { path in
            path.lastIndex(of: "/").map { String(path[..<$0]) }
        }
    }

    /// Returns the folder of the printer files in this checkout; nil if the folder does not exist, or if the
    /// environment sets `PRINTSIM_SIMULATORS`.
    private static func ownSimulators(_ environment: [String: String]) -> String? {
        guard environment["PRINTSIM_SIMULATORS"] == nil else { return nil }
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Simulators"
        return access("\(folder)/color-laser.json5", R_OK) == 0 ? folder : nil
    }

    private static func missing(_ program: String, in folder: String?) -> PrintTestingError {
        PrintTestingError(
            .programMissing,
            "cannot find the program '\(program)'\(folder.map { " in '\($0)'" } ?? ""); add "
                + ".product(name: \"printsim\", package: \"printq\") and .product(name: \"print-worker\", package: \"printq\") "
                + "to the dependencies of the test target, or set PRINTQ_PROGRAMS to the folder that contains "
                + "both programs")
    }
}
