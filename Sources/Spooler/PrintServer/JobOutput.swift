// Describes the output files of a job.

import IPP

/// The output of a job on a printer that writes files.
public enum JobOutput: Hashable, Sendable {
    /// The folder with the page images of a simulated printer.
    case folder(String)
    /// The PDF of a printer that is a folder.
    case file(String)

    /// The IPP attribute for the output.
    var attribute: Attribute {
        switch self {
        case .folder(let path): Attribute("printq-output-folder", .text(path))
        case .file(let path): Attribute("printq-output-file", .text(path))
        }
    }
}
