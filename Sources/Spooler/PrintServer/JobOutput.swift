// What there is of a job that has become files.

import IPP

/// What a job has become at a printer that is no paper.
public enum JobOutput: Hashable, Sendable {
    /// The folder with the page images of a simulated printer.
    case folder(String)
    /// The PDF in a folder that is a printer.
    case file(String)

    /// As it is told over IPP.
    var attribute: Attribute {
        switch self {
        case .folder(let path): Attribute("printq-output-folder", .text(path))
        case .file(let path): Attribute("printq-output-file", .text(path))
        }
    }
}
