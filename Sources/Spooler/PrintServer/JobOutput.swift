// Describes the output files of a job.

import AsyncPrimitives
import FoundationEssentials
import IPP
import PrintIPP

/// The output of a job at a printer that writes files.
public enum JobOutput: Hashable, Sendable {
    /// The folder with the page images of a simulated printer.
    case folder(String)
    /// The PDF file in the folder of a folder printer.
    case file(String)

    /// The names of the attributes that describe the output.
    static let attributeNames = ["printq-output-folder", "printq-output-file", "printq-output-files"]

    /// The maximum number of files that are listed for an output folder.
    private static let mostFiles = 20_000

    /// Returns the requested attributes of the output.
    ///
    /// `printq-output-files` lists the files in the folder, because most users cannot read the folder.
    func attributes(_ requested: RequestedAttributes) async -> [Attribute] {
        var attributes: [Attribute] = []
        switch self {
        case .folder(let path):
            attributes = [Attribute("printq-output-folder", .text(path))]
            if requested.names("printq-output-files") {
                let names = await BlockingThreads.shared.run {
                    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                }
                let files = names.filter { !$0.hasPrefix(".") }.sorted().prefix(Self.mostFiles)
                attributes.append(Attribute("printq-output-files", files.map { .text($0) }))
            }
        case .file(let path): attributes = [Attribute("printq-output-file", .text(path))]
        }
        return attributes.filter { requested.names($0.name) && !$0.values.isEmpty }
    }
}
