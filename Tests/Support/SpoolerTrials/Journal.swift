// Records the responses to clients during a trial, independently of the spooler.

package import PrintModel

/// A log of all actions and responses of a trial, in order.
///
/// Entries are never removed.
package struct Journal: Sendable {
    /// An action or a response.
    package enum Entry: Sendable {
        /// A submission was acknowledged with a job number and a UUID.
        case accepted(submission: String, client: Int, job: Int, uuid: String)
        /// A client is about to cancel a job.
        case cancelAsked(job: Int)
        /// After its cancellation, a job was reported in this state.
        case cancelAnswered(job: Int, state: JobState)
        /// A job was reported as suspended, with this message.
        case doubtShown(job: Int, words: String)
        /// A suspended job was released: it may be printed once more.
        case doubtReleased(job: Int)
        /// A suspended job was resumed: it continues with the first side that was not reported as printed.
        case doubtResumed(job: Int)
        /// These programs are about to be killed.
        case killed(Set<Victim>)
    }

    /// A program that can be killed.
    package enum Victim: String, Sendable, CaseIterable, Comparable {
        /// The spooler.
        case printd
        /// The simulated printers.
        case printsim
        /// The cupsd between spooler and printer, and its child processes.
        case cupsd
        /// The document workers of the spooler and the printers.
        case workers

        /// Orders programs by their names.
        package static func < (a: Victim, b: Victim) -> Bool { a.rawValue < b.rawValue }
    }

    /// An entry and its time.
    package struct Line: Sendable {
        /// The time of the entry, in seconds since 1970.
        package var time: UnixTime
        /// The recorded entry.
        package var entry: Entry
    }

    /// All entries.
    package private(set) var lines: [Line] = []

    /// Creates an empty journal.
    package init() {}

    /// Adds an entry.
    package mutating func append(_ entry: Entry, at time: UnixTime) { lines.append(Line(time: time, entry: entry)) }

    /// An acknowledged job from its client's point of view.
    package struct Acceptance: Sendable {
        /// The client's name for the submission, which is also the job name.
        package var submission: String
        /// The client.
        package var client: Int
        /// The assigned job number.
        package var job: Int
        /// The assigned UUID.
        package var uuid: String
        /// The time of the acknowledgment.
        package var time: UnixTime
    }

    /// The acknowledgments, in order; a repeated submission may have several.
    package var acceptances: [Acceptance] {
        lines.compactMap { line in
            guard case .accepted(let submission, let client, let job, let uuid) = line.entry else { return nil }
            return Acceptance(submission: submission, client: client, job: job, uuid: uuid, time: line.time)
        }
    }

    /// Returns the times at which programs were killed.
    package func kills(of victims: Set<Victim>) -> [UnixTime] {
        lines.compactMap { line in
            guard case .killed(let killed) = line.entry, !killed.isDisjoint(with: victims) else { return nil }
            return line.time
        }
    }
}
