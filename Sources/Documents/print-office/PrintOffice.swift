// Converts one Office document into a PDF with LibreOffice, in a sandbox.

import COfficeKit
import CSandbox
import FoundationEssentials
import Glibc
import PrintModel
import WorkerProcess

/// The process that converts one Office document.
///
/// `OfficePool` starts the process in advance with a private folder (`--place`). The process enters its sandbox and
/// starts LibreOffice. Later, `OfficePool` copies the document into the folder and sends the request.
@main
enum PrintOffice {
    static func main() {
        let replies = ReplyChannel.takingStandardOutput()
        do throws(WorkError) {
            let place = try OfficePlace(arguments: CommandLine.arguments)
            let program = try argument("--program")
            try place.prepare(for: program)
            let protections = try ProcessSandbox.lock(
                readable: place.readable(for: program), writable: [place.work], arguments: CommandLine.arguments,
                hasDatabase: true)
            let office = try LibreOffice(program: program, place: place)
            // LibreOffice handles crashes and exceeded limits itself; the pool must see the signals.
            sandbox_watch_memory()
            for number in [SIGXCPU, SIGXFSZ] { signal(number, SIG_DFL) }
            guard let line = StandardInput.readLine() else { _exit(0) }  // the pool needs this process no longer
            guard let request = try? JSONDecoder().decode(WorkerRequest.self, from: line),
                case .convert(let conversion) = request.task
            else {
                throw WorkError(.workerUnavailable, "the worker received an invalid request")
            }
            replies.send(.locked(protections))
            StandardInput.endProcessAtEnd()
            replies.end(.converted(try office.convert(request.complete(conversion))))
        } catch {
            replies.end(.failed(error))
        }
    }

    /// Returns the value of a command line option such as `--place=/tmp/…`, which must be an absolute path.
    static func argument(_ name: String) throws(WorkError) -> String {
        let prefix = name + "="
        guard let value = CommandLine.arguments.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count),
            value.hasPrefix("/")
        else {
            throw WorkError(.workerUnavailable, "print-office requires the option \(name); use 'printq' instead")
        }
        return String(value)
    }
}
