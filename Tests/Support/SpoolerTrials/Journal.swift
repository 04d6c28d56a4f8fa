// What clients were told, kept by a trial itself: it never asks the spooler what it was given.

package import PrintModel

/// Everything that a trial did and was told, in order; nothing is ever taken back.
package struct Journal: Sendable {
    /// One thing that was done, or was answered.
    package enum Entry: Sendable {
        /// A submission was acknowledged under a number and a universal name.
        case accepted(submission: String, client: Int, job: Int, uuid: String)
        /// Someone is about to ask for a job's cancel.
        case cancelAsked(job: Int)
        /// After its cancel, a job was shown in this state.
        case cancelAnswered(job: Int, state: JobState)
        /// A job was found suspended, with these words.
        case doubtShown(job: Int, words: String)
        /// A suspended job was released: it may be printed once more.
        case doubtReleased(job: Int)
        /// A suspended job was resumed: it goes on with the first side that was not seen printed.
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
        /// The server of CUPS between spooler and printer, and what it has started.
        case cupsd
        /// The processes that read documents, the spooler's and the printers'.
        case workers

        /// In the order of their names.
        package static func < (a: Victim, b: Victim) -> Bool { a.rawValue < b.rawValue }
    }

    /// An entry and its moment.
    package struct Line: Sendable {
        /// When it was written down, in seconds since 1970.
        package var time: UnixTime
        /// What was written down.
        package var entry: Entry
    }

    /// All of it.
    package private(set) var lines: [Line] = []

    /// An empty journal.
    package init() {}

    /// Writes something down.
    package mutating func append(_ entry: Entry, at time: UnixTime) { lines.append(Line(time: time, entry: entry)) }

    /// A job as its client knows it.
    package struct Acceptance: Sendable {
        /// What the client calls it; the job has this name too.
        package var submission: String
        /// The client.
        package var client: Int
        /// The number it was given.
        package var job: Int
        /// The universal name it was given.
        package var uuid: String
        /// When.
        package var time: UnixTime
    }

    /// The acknowledgements, in order; a submission that was repeated may have several.
    package var acceptances: [Acceptance] {
        lines.compactMap { line in
            guard case .accepted(let submission, let client, let job, let uuid) = line.entry else { return nil }
            return Acceptance(submission: submission, client: client, job: job, uuid: uuid, time: line.time)
        }
    }

    /// When programs were killed.
    package func kills(of victims: Set<Victim>) -> [UnixTime] {
        lines.compactMap { line in
            guard case .killed(let killed) = line.entry, !killed.isDisjoint(with: victims) else { return nil }
            return line.time
        }
    }
}
