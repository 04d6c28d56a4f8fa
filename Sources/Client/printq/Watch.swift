// The command `printq watch`, which shows events as they happen.

import ArgumentParser
import Dispatch
import Glibc
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient
import AsyncPrimitives

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the events of jobs and printers as they happen.",
        discussion: """
            Prints one line per event until interrupted. With job numbers, shows only these jobs and exits when all \
            have ended; fails if one is not completed. Each event has a number, which --json shows. To continue after \
            a break without missing events, pass the last number to --after. printq reconnects when printd restarts.
            """)

    @Argument(help: "The job numbers (default: all jobs and printers).")
    var ids: [JobID] = []
    @OptionGroup var choice: PrinterChoice
    @Option(
        help: ArgumentHelp(
            "Begin after the event with this number; 0 begins with the oldest stored event.", valueName: "number"))
    var after: Int?
    @Flag(help: "Exit when no job is waiting or printing; fail if a job was not completed.")
    var untilEnded = false
    @Flag(help: "Write each event as a line of JSON with IPP names.")
    var json = false
    @OptionGroup var session: Session

    func validate() throws {
        if let after, !(0...Int(Int32.max)).contains(after) {
            throw ValidationError("invalid value \(after) for --after: must be an event number")
        }
    }

    func run() async throws {
        let queue = try session.spooler
        let printer = try choice.name
        let request = WatchRequest(printer: printer, jobs: ids.map(\.number), after: after)
        let watch = EventWatch(queue, request) { StandardOutput.complain($0) }
        let ends = !ids.isEmpty || untilEnded
        let result = await untilInterrupted { () async -> Result<OpenJobs, SpoolerClientError> in
            var open = OpenJobs(named: request.jobs)
            do throws(SpoolerClientError) {
                try await watch.run { () async throws(SpoolerClientError) in
                    guard ends else { return true }
                    for words in try await open.look(at: queue, printer: printer) { StandardOutput.complain(words) }
                    return !open.isEmpty
                } onEvent: { (event: EventView) throws(SpoolerClientError) in
                    StandardOutput.print((json ? event.json : event.line(now: Session.now)) + "\n")
                    open.note(event)
                    return !ends || !open.isEmpty
                }
                return .success(open)
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            if ends { throw ExitCode(130) }  // 128 + SIGINT: interrupted before the jobs ended
            return
        }
        for id in try result.get().ended where ends {
            try JobView(try await queue.job(id, JobView.followedNames)).checkCompleted()
        }
    }
}

/// Runs `body` until it returns or until SIGINT or SIGTERM arrives.
///
/// A signal cancels the task of `body`. The result is nil after the canceled task has finished.
private func untilInterrupted<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let interrupted = Signal()
    let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { interrupted.give() }
        source.resume()
        return source
    }
    defer { for source in sources { source.cancel() } }
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await body() }
        group.addTask {
            await interrupted.wait()
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        await group.waitForAll()
        return first
    }
}
