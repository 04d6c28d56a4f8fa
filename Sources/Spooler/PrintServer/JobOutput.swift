// The output files of a job.

import IPP

/// The output of a job at a printer that writes files.
public enum JobOutput: Hashable, Sendable {
    /// The folder with the page images of a simulated printer.
    case folder(String)
    /// The PDF in the folder of a folder printer.
    case file(String)

    /// The IPP attribute that reports the output.
    var attribute: Attribute {
        switch self {
        case .folder(let path): Attribute("printq-output-folder", .text(path))
        case .file(let path): Attribute("printq-output-file", .text(path))
        }
    }
}
