// Finds and reads the printer files.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintModel
import PrinterSimulator
import ProcessLaunch

struct SimulatorFolder {
    let path: String

    /// Selects the first folder that is set: `named`, `PRINTSIM_SIMULATORS`, or the folder of this checkout or
    /// installation.
    init(_ named: String?) throws(StartError) {
        let environment = ProcessInfo.processInfo.environment
        if let folder = named ?? environment["PRINTSIM_SIMULATORS"] {
            path = Paths.absolute(folder)
            guard Paths.isFolder(path) else {
                throw .noInput("no folder '\(path)'; set the folder of the printer files with --simulators")
            }
        } else if let folder = Self.candidates.first(where: Paths.isFolder) {
            path = folder
        } else {
            throw .noInput("cannot find the printer files; set their folder with --simulators")
        }
    }

    /// The folders to search for the printer files.
    ///
    /// For each folder above this program, the list contains `Simulators` (in a checkout),
    /// `checkouts/printq/Simulators` (in a package that depends on printq) and `share/printq/simulators` (in an
    /// installation).
    private static var candidates: [String] {
        var folders: [String] = []
        var folder = Programs.beside("")
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            // The second path is for a package that depends on printq: SwiftPM puts the checkout above the build
            // products.
            // The third path is for an installation: PREFIX/bin/printsim and PREFIX/share/printq.
            folders += [
                "\(folder)/Simulators", "\(folder)/checkouts/printq/Simulators", "\(folder)/share/printq/simulators",
            ]
        }
        return folders
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.hasSuffix(".json5") && !$0.hasPrefix(".") }.map { String($0.dropLast(6)) }.sorted()
    }

    /// Reads the printer files with the given names, in the given order.
    ///
    /// Without names, the function reads all printer files in alphabetical order.
    ///
    /// - Throws: `StartError` if a printer does not exist, if a printer file is invalid, or if two printers have the
    ///   same name.
    func descriptions(_ names: [String]) throws(StartError) -> [SimulatedPrinterDescription] {
        let known = self.names
        guard !known.isEmpty else { throw .noInput("no *.json5 printer file in '\(path)'") }
        var descriptions: [SimulatedPrinterDescription] = []
        for name in names.isEmpty ? known : names {
            guard known.contains(name) else {
                // The word may also be a mistyped command, because a command line without a command serves printers.
                let nearest = NearestName.suggestion(for: name, in: known + Printsim.commandNames)
                throw .usage(
                    "unknown printer '\(name)' in '\(path)'"
                        + (nearest.isEmpty ? "; known printers: \(known.joined(separator: ", "))" : nearest))
            }
            let description: SimulatedPrinterDescription
            do throws(SimulatorError) {
                description = try SimulatedPrinterDescription(path: "\(path)/\(name).json5")
            } catch {
                throw .badConfiguration(error.message)
            }
            guard !descriptions.contains(where: { $0.name == description.name }) else {
                throw .usage("two printers have the name '\(description.name)'; rename one printer")
            }
            descriptions.append(description)
        }
        return descriptions
    }
}

extension CompletionKind {
    static var simulators: CompletionKind { .custom { _, _, _ in (try? SimulatorFolder(nil))?.names ?? [] } }
}

enum Paths {
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func newFolder() throws(StartError) -> String {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/printsim-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw .cannotCreate("cannot create a temporary folder; set a folder with --output")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
