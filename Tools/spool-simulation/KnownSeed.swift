// Lists seeds that have found bugs.

/// A seed that has found a bug.
///
/// The simulation of a seed changes when the simulation changes. Each bug therefore also has a separate test.
struct KnownSeed {
    let number: UInt64
    /// The database of the simulation.
    var store = Store.sqlite
    /// The bug that the seed found.
    let found: String

    static let all = [
        KnownSeed(number: 1, found: "A crash left half-written files in the folder of an active job."),
        KnownSeed(number: 28, found: "A power cut removed the new spool's folder with an accepted document."),
        KnownSeed(number: 89, found: "After the clock was set back by hours, a printer's queue waited for hours."),
        KnownSeed(
            number: 120,
            found: "A printer's restart between Create-Job and Send-Document aborted an accepted job."),
        KnownSeed(
            number: 3132,
            found:
                "A job withdrawn from its printer counted as canceled there when the printer's response was lost."),
        KnownSeed(
            number: 3743,
            found: "A job counted as canceled at its printer when a crash interrupted its withdrawal."),
        KnownSeed(
            number: 98, store: .postgresql,
            found: "A host used a lease after the database had ended the lease at the request of the host."),
        KnownSeed(
            number: 215, store: .postgresql,
            found:
                "A host that took a printer started the next job before it had recovered the job in progress."),
    ]
}
