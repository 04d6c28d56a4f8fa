// Where the programs and files of printq are, seen from a test of another package.

import FoundationEssentials
import Glibc
import ProcessLaunch

/// The programs that a test printer needs.
package struct PrintingPrograms {
    /// The path of `printsim`; `print-worker` lies beside it.
    package var printsim: String
    /// The folder of the printers' files that came with this source; nil when the source is elsewhere now.
    package var simulators: String?

    /// Looks for the programs: in `$PRINTQ_PROGRAMS` if it is set, else beside the tests, then in `PATH`.
    ///
    /// A package that names the products `printsim` and `print-worker` among its test target's dependencies has them
    /// built beside its tests.
    package static func found() throws(PrintTestingError) -> PrintingPrograms {
        let environment = ProcessInfo.processInfo.environment
        let folders =
            environment["PRINTQ_PROGRAMS"].map { [$0] }
            ?? testFolders + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let folder = folders.first(where: { access("\($0)/printsim", X_OK) == 0 }) else {
            throw missing("printsim", in: environment["PRINTQ_PROGRAMS"])
        }
        guard access("\(folder)/print-worker", X_OK) == 0 else { throw missing("print-worker", in: folder) }
        return PrintingPrograms(printsim: "\(folder)/printsim", simulators: ownSimulators(environment))
    }

    /// Where the running tests were loaded from: the runner itself, or a bundle that it has opened.
    private static var testFolders: [String] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        // The sixth column is the path, which may have spaces.
        let bundles = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }.compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return ([Programs.beside("tests")] + bundles + CommandLine.arguments.prefix(1)).compactMap { path in
            path.lastIndex(of: "/").map { String(path[..<$0]) }
        }
    }

    /// The printers' files in the checkout that this source was compiled from, unless the environment names others.
    private static func ownSimulators(_ environment: [String: String]) -> String? {
        guard environment["PRINTSIM_SIMULATORS"] == nil else { return nil }
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Simulators"
        return access("\(folder)/color-laser.json5", R_OK) == 0 ? folder : nil
    }

    private static func missing(_ program: String, in folder: String?) -> PrintTestingError {
        PrintTestingError(
            .programMissing,
            "the program '\(program)' is not found\(folder.map { " in '\($0)'" } ?? ""); add "
                + ".product(name: \"printsim\", package: \"printq\") and .product(name: \"print-worker\", package: \"printq\") "
                + "to the dependencies of the test target, or name the folder of both in PRINTQ_PROGRAMS")
    }
}
