import FoundationEssentials
import PrintTestSupport
import ProcessLaunch

@testable import DocumentInteraction

/// A folder with desktop entries, as the environment of an application registry.
final class DesktopFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("share/applications"), withIntermediateDirectories: true)
        // Programs find the database of file types, but no desktop entries of the machine.
        try FileManager.default.createDirectory(atPath: folder.path("system"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("system/mime"), withDestinationPath: "/usr/share/mime")
    }

    /// Variables with which programs find only the entries of this folder.
    var environment: [String: String] {
        [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("system"),
            "XDG_CONFIG_HOME": "/nowhere",
            "XDG_CONFIG_DIRS": "/nowhere", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
    }

    var registry: ApplicationRegistry { ApplicationRegistry(environment: environment) }

    /// Writes a desktop entry.
    func install(_ id: String, _ name: String, types: String, command: String = "/bin/true %f", more: String = "")
        throws
    {
        try """
        [Desktop Entry]
        Type=Application
        Name=\(name)
        Exec=\(command)
        MimeType=\(types)
        \(more)
        """.write(toFile: folder.path("share/applications/\(id).desktop"), atomically: true, encoding: .utf8)
    }

    /// Writes a file of the folder, and returns its URL.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let url = URL(filePath: folder.path(name))
        try Data(bytes).write(to: url)
        return url
    }

    /// Returns a controller that finds only the applications of this folder, and that does not print.
    func controller(_ url: URL) -> DocumentInteractionController {
        let controller = DocumentInteractionController(url: url)
        controller.applicationRegistry = registry
        controller.documentTypes = DocumentTypeRegistry()
        controller.printInteractionController = nil
        return controller
    }

    /// Runs the example program with the environment of this folder.
    func example(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.beside("DocumentExamples"), arguments,
            environment: self.environment.merging(environment) { $1 }, in: folder.path)
    }
}
