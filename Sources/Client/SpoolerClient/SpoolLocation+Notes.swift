// Explains which spool is used, so that nobody confuses two spools.

import IPP
import ProcessLaunch

extension SpoolLocation {
    /// The path of the spool and the reason why the spool is used, as text: `'/var/spool/printq' (system spooler)`.
    package var text: String { "'\(path.printable)' (\(selection.text))" }

    /// The message for users if printq uses the private spool because the system spooler is not running; otherwise nil.
    package var replacementNote: String? {
        guard replacesSystem else { return nil }
        return "the system spooler is not running, so printq uses the private spool '\(path.printable)'; "
            + "'systemctl start printd.socket' starts the system spooler"
    }

    /// Returns a warning if the user has unfinished jobs in another spool; nil if the other spool has no such jobs.
    ///
    /// If the printd of the other spool is running, this function queries that printd. Otherwise `printd --count-jobs`
    /// counts the jobs of a private spool.
    package func otherJobsWarning() async -> String? {
        guard let other, await other.hasUnfinishedJobs() else { return nil }
        // Jobs of a stopped printd wait until a command starts printd.
        let kind = other.isSystem ? "the system spooler" : "the private spool"
        return "\(kind) '\(other.path.printable)' has unfinished jobs too; "
            + "'printq queue --spool \(other.path.printable)' lists these jobs"
    }

    /// Returns whether this spool has unfinished jobs of the current user.
    private func hasUnfinishedJobs() async -> Bool {
        let daemon = DaemonLauncher(place: self, program: nil)
        guard (try? daemon.answers()) == true else { return hasWaitingJobs() }
        let answer = try? await Spooler(at: self).ask(
            .getJobs, attributes: [Attribute("my-jobs", .boolean(true)), Attribute("limit", .integer(1))],
            requested: ["job-id"])
        return answer?[.job] != nil
    }

    /// Returns whether a private spool whose printd is stopped has unfinished jobs.
    private func hasWaitingJobs() -> Bool {
        guard !isSystem, let program = DaemonLauncher.program(),
            let process = try? DetachedProcess(
                program: program, arguments: ["--spool", path, "--count-jobs"], log: "/dev/null")
        else { return false }
        defer { process.reap() }
        return process.readLine(deadline: 5).flatMap { Int($0) }.map { $0 > 0 } ?? false
    }
}
