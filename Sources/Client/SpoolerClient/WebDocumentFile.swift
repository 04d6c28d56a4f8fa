// Fetches documents from web addresses before they are sent.

import FoundationEssentials
import ProcessLaunch

/// A document that was fetched from a web address into a temporary folder.
///
/// The program `print-fetch`, which runs with the user ID of this process, fetches the document. The file is removed
/// when the last reference to this object is released.
package final class WebDocumentFile: Sendable {
    /// The path of the file.
    ///
    /// The name of the file is the name of the document.
    package let path: String
    /// The notices about resources that the document omits, one sentence for each resource.
    package let notices: [String]
    private let folder: ScratchFolder

    private struct Answer: Decodable {
        var path: String
        var notices: [String]
    }

    /// Returns whether an argument is an address (`http:`, `https:`, `data:`, `file:`).
    ///
    /// Any other argument is the path of a file.
    ///
    /// `print-fetch` refuses `file:` addresses with an explanation.
    package static func isAddress(_ argument: String) -> Bool {
        let start = argument.prefix(6).lowercased()
        return ["http:/", "https:", "data:", "file:/"].contains { start.hasPrefix($0) }
    }

    /// Fetches a document.
    ///
    /// This function blocks the calling thread.
    ///
    /// - Parameters:
    ///   - address: An `http:`, `https:` or `data:` address.
    ///   - allowsPrivate: Whether addresses of private networks and of this machine are allowed.
    ///   - pageSize: The width and height of the pages of a web page, in points; nil means A4.
    /// - Throws: `SpoolerClientError` with the error of `print-fetch`.
    package init(
        _ address: String, allowsPrivate: Bool, pageSize: (width: Double, height: Double)? = nil
    ) throws(SpoolerClientError) {
        folder = try ScratchFolder("printq-web")
        let answer = try Self.fetch(address, into: folder.path, allowsPrivate, pageSize)
        (path, notices) = (answer.path, answer.notices.map(\.printable))
    }

    private static func fetch(
        _ address: String, into folder: String, _ allowsPrivate: Bool, _ pageSize: (width: Double, height: Double)?
    ) throws(SpoolerClientError) -> Answer {
        var arguments = [address, "--output", folder]
        if allowsPrivate { arguments.append("--allow-private") }
        if let pageSize { arguments += ["--page-size", "\(pageSize.width)x\(pageSize.height)"] }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let process: InteractiveProcess
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: Programs.path(of: "print-fetch"), arguments: arguments,
                environment: environment, errors: "\(folder)/errors")
        } catch {
            throw SpoolerClientError(.unavailable, error.description)
        }
        do throws(InteractiveProcess.Interruption) {
            let line = try process.line(longest: 1 << 20, until: .now + .seconds(240))
            if let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) { return answer }
        } catch {
            throw failed(process.end(), output: FileManager.default.contents(atPath: "\(folder)/errors"))
        }
        throw SpoolerClientError(.badAnswer, "print-fetch sent an invalid response; reinstall printq")
    }

    /// Returns the error for a `print-fetch` that ended without a document.
    private static func failed(_ ending: InteractiveProcess.Ending, output: Data?) -> SpoolerClientError {
        let text = String(decoding: (output ?? Data()).prefix(2000), as: UTF8.self).split(separator: "\n").first ?? ""
        let message = text.isEmpty ? "print-fetch failed: \(ending)" : String(text).printable
        guard case .exited(let code) = ending else { return SpoolerClientError(.software, message) }
        let kind: SpoolerClientError.Code =
            switch code {
            case 64: .usage
            case 65: .badDocument
            case 66: .noInput
            case 68, 69: .unavailable
            case 75: .temporary
            case 76: .badAnswer
            case 77: .noPermission
            default: .software
            }
        return SpoolerClientError(kind, message)
    }
}
