// printq watch: what happens, as it happens.

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
        abstract: "Show what happens to jobs and printers, as it happens.",
        discussion: """
            One line an event, until interrupted. With jobs' numbers only what happens to these, until all have ended; \
            fails when one is not completed. Every event has a number, which --json shows: a script that was away goes \
            on with --after and misses nothing. When printd is restarted, so does printq itself.
            """)

    @Argument(help: "The jobs' numbers (default: all jobs, and the printers).")
    var ids: [JobID] = []
    @OptionGroup var choice: PrinterChoice
    @Option(help: ArgumentHelp("Begin with what happened after this event; 0: all that is kept.", valueName: "number"))
    var after: Int?
    @Flag(help: "Until no job is left that waits or prints; fails when one was not completed.")
    var untilEnded = false
    @Flag(help: "Write each event as a line of JSON, with IPP's names.")
    var json = false
    @OptionGroup var session: Session

    func validate() throws {
        if let after, !(0...Int(Int32.max)).contains(after) {
            throw ValidationError("--after takes an event's number, not \(after)")
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
            if ends { throw ExitCode(130) }  // 128 + SIGINT: what it waited for did not come about
            return
        }
        for id in try result.get().ended where ends {
            try JobView(try await queue.job(id, JobView.followedNames)).checkCompleted()
        }
    }
}

/// Runs `body` until it returns, or until somebody interrupts the program: then its task is cancelled, and when it has
/// tidied up the result is nil.
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
