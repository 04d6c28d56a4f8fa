// Fetches a web address for `printq submit`, as the user.
//
//     print-fetch ADDRESS --output FOLDER [--allow-private] [--page-size WIDTHxHEIGHT]
//
// Creates one file in the folder: a PDF for a web page, otherwise the document as the server sent it. Prints one line of
// JSON with its path, media type, name, title and notices. The exit code is one of sysexits.h.

import Dispatch
import FoundationEssentials
import Glibc
import PrintModel
import HTMLLayout

@main
enum PrintFetchProgram {
    private struct Result: Encodable {
        var path, format, name, title: String
        var notices: [String]
    }

    static func main() {
        let order: FetchArguments
        do throws(FetchArguments.Failure) {
            order = try FetchArguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            fail(error.message, 64)
        }
        endWithCaller(order.folder)
        let path = "\(order.folder)/document"
        var request = FetchRequest(order.address, layout: ConversionLayout(pageSize: order.pageSize))
        request.allowsPrivate = order.allowsPrivate
        let document: WebDocument
        do throws(WebError) {
            document = try HTMLEngine(concurrent: 1, warm: 0).fetch(request, to: path)
        } catch {
            fail("cannot fetch '\(order.shownAddress)': \(error.message)", error.code.exitCode)
        }
        let named = "\(order.folder)/\(fileName(of: document))"
        guard rename(path, named) == 0 else { fail("cannot write '\(named)': \(String(cString: strerror(errno)))", 73) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let result = Result(
            path: named, format: document.format, name: document.name, title: document.title,
            notices: document.notices)
        guard let line = try? encoder.encode(result) else {
            fail("cannot encode the result for '\(named)' as JSON", 70)
        }
        print(String(decoding: line, as: UTF8.self))
    }

    /// Returns the file name for a fetched document: the title of the web page, or the document's name if there is no
    /// title.
    ///
    /// If the document's name has no known extension, the function adds an extension for the document's format.
    private static func fileName(of document: WebDocument) -> String {
        let name = document.title.isEmpty ? document.name : document.title
        let characters: [Character] = name.map { $0 == "/" ? "_" : $0 }
        var safe = String(characters.drop { $0 == "." }.prefix(60))
        if safe.utf8.count > 200 || safe.isEmpty { safe = "page" }
        let types = DocumentTypes.builtIn
        guard document.title.isEmpty, types.type(forName: safe) == nil,
            let ending = types.type(for: DocumentFormat(rawValue: document.format))?.extensions.first
        else { return safe }
        return "\(safe).\(ending)"
    }

    /// Exits this program when the calling program exits, or closes the pipe that reads this program's standard output.
    ///
    /// Before the exit, the unfinished files of this program are removed from `folder`. If `folder` is then empty,
    /// `folder` is removed too. The function returns immediately; another thread waits.
    private static func endWithCaller(_ folder: String) {
        DispatchQueue.global().async {
            var output = pollfd(fd: 1, events: 0, revents: 0)
            while poll(&output, 1, -1) < 0, errno == EINTR {}
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where name == "document" || name.hasPrefix("document.") && name.hasSuffix(".partial") {
                unlink("\(folder)/\(name)")
            }
            rmdir(folder)
            exit(75)
        }
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        let line = "\(message)\n"
        _ = line.withCString { write(2, $0, strlen($0)) }
        exit(code)
    }
}

extension WebError.Code {
    /// The exit code of `print-fetch` for this error.
    fileprivate var exitCode: Int32 {
        switch self {
        case .address: 64  // EX_USAGE
        case .tooLarge: 65  // EX_DATAERR
        case .notFound: 66  // EX_NOINPUT
        case .unknownHost: 68  // EX_NOHOST
        case .unreachable, .engine: 69  // EX_UNAVAILABLE
        case .timeExceeded: 75  // EX_TEMPFAIL
        case .badAnswer: 76  // EX_PROTOCOL
        case .privateAddress: 77  // EX_NOPERM
        }
    }
}
