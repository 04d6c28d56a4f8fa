// Submits jobs over several persistent connections as fast as the server accepts them, and reports the rate.
//
// `submission-load HOST:PORT PRINTER-URI CONNECTIONS JOBS DOCUMENT` prints one line of JSON with the following values:
// the seconds from the first request to the last response, the accepted jobs per second (`steady`: of the first 95 %),
// the lowest and the highest job ID, and the median and the longest response time. The exit code is 1 if a job is
// rejected. With `--retry`, requests are repeated at once when the printer is busy or closes the connection, and the
// JSON has the number of repetitions. With `--attributes` instead of a document, the program requests the printer's
// attributes. The program uses one thread and `poll`, so its own overhead is small.

import Glibc

@main
enum SubmissionLoad {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        do throws(LoadError) {
            let options = try LoadOptions(CommandLine.arguments.dropFirst())
            print(try submit(options).line)
        } catch {
            print("submission-load: \(error.reason)")
            exit(1)
        }
    }

    private static func submit(_ options: LoadOptions) throws(LoadError) -> Outcome {
        let request = try options.request()
        var connections: [SubmittingConnection] = []
        for _ in 0..<options.connections { connections.append(try SubmittingConnection(options.host, options.port)) }
        var polled = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var outcome = Outcome()
        var unsent = options.jobs
        for index in connections.indices {
            try connections[index].send(request)
            unsent -= 1
        }
        while outcome.jobs < options.jobs {
            guard poll(&polled, nfds_t(polled.count), 60_000) > 0 else { throw LoadError("no response for 60 s") }
            for index in polled.indices where polled[index].revents != 0 {
                guard let answer = try connections[index].receive() else {
                    guard connections[index].isHungUp else { continue }
                    guard options.retries else { throw LoadError("the server closed the connection") }
                    connections[index] = try connections[index].again()
                    polled[index].fd = connections[index].descriptor
                    try connections[index].send(request)
                    outcome.hangUps += 1
                    continue
                }
                if options.retries, answer.isBusy {
                    outcome.busy += 1
                    if answer.isLast { connections[index] = try connections[index].again() }
                    polled[index].fd = connections[index].descriptor
                    try connections[index].send(request)
                    continue
                }
                outcome.note(
                    options.document == nil ? try answer.noted() : try answer.jobID(), after: connections[index].wait)
                guard unsent > 0 else { continue }
                try connections[index].send(request)
                unsent -= 1
            }
        }
        outcome.end()
        return outcome
    }
}

/// The reason why the submissions failed.
struct LoadError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
