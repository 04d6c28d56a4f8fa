// Finds the programs of the build that runs the tests.

import FoundationEssentials

/// The programs of this build.
package enum BuiltPrograms {
    /// The folder of the programs, with a slash at its end.
    package static let folder: String = {
        let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex))
    }()
}
