// Where the printers' files are.

import FoundationEssentials
import Glibc
import PrinterSimulator
import ProcessLaunch

/// A folder of printers' files.
struct SimulatorFolder {
    let path: String

    /// The folder that is named, else `PRINTSIM_SIMULATORS`, else the one of this checkout or installation.
    init(_ named: String?) throws(StartError) {
        let environment = ProcessInfo.processInfo.environment
        if let folder = named ?? environment["PRINTSIM_SIMULATORS"] {
            path = Paths.absolute(folder)
            guard Paths.isFolder(path) else {
                throw .noInput("there is no folder '\(path)' with simulated printers; give another with --simulators")
            }
        } else if let folder = Self.candidates.first(where: Paths.isFolder) {
            path = folder
        } else {
            throw .noInput("the simulated printers' files are not found; name their folder with --simulators")
        }
    }

    /// `Simulators` beside this program or in a folder above it, then where packages put it.
    private static var candidates: [String] {
        var folders: [String] = []
        var folder = Programs.beside("")
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            // The second: a package that depends on printq has its checkout above what it built.
            folders += ["\(folder)/Simulators", "\(folder)/checkouts/printq/Simulators"]
        }
        return folders + ["/usr/share/printq/Simulators"]
    }

    /// The printers of the given names, or all there are, by name.
    func descriptions(_ names: [String]) throws(StartError) -> [SimulatedPrinterDescription] {
        let known = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.hasSuffix(".json5") && !$0.hasPrefix(".") }.map { String($0.dropLast(6)) }.sorted()
        guard !known.isEmpty else { throw .noInput("there is no *.json5 file of a printer in '\(path)'") }
        var descriptions: [SimulatedPrinterDescription] = []
        for name in names.isEmpty ? known : names {
            guard known.contains(name) else {
                throw .usage("there is no printer '\(name)' in '\(path)'; there are \(known.joined(separator: ", "))")
            }
            let description: SimulatedPrinterDescription
            do throws(SimulatorError) {
                description = try SimulatedPrinterDescription(path: "\(path)/\(name).json5")
            } catch {
                throw .badConfiguration(error.message)
            }
            guard !descriptions.contains(where: { $0.name == description.name }) else {
                throw .usage("the printer '\(description.name)' is there twice; each needs a name of its own")
            }
            descriptions.append(description)
        }
        return descriptions
    }
}

enum Paths {
    /// The path from the root, whatever the working directory is later.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path of a new folder among the temporary ones.
    static func newFolder() throws(StartError) -> String {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/printsim-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw .cannotCreate("no folder for the pages can be made; name one with --output")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
