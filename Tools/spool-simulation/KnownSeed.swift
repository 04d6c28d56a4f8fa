// Seeds that found something, and what.

/// A seed that found something once.
///
/// A seed's world changes when the simulation does: each fault has a test of its own besides.
struct KnownSeed {
    let number: UInt64
    /// What it found.
    let found: String

    static let all = [
        KnownSeed(number: 1, found: "A crash left half-written files in the folder of a job that lives."),
        KnownSeed(number: 28, found: "A power cut took the new spool's folder with an accepted document in it."),
        KnownSeed(number: 89, found: "A clock set back by hours kept a printer's queue waiting for hours."),
        KnownSeed(
            number: 120,
            found: "A printer restarted between Create-Job and Send-Document cost an accepted job its life."),
        KnownSeed(
            number: 3132,
            found:
                "A job taken back from its printer, of which the printer's answer was lost, counted as canceled there."),
        KnownSeed(
            number: 3743,
            found: "A crash while a job was taken back from its printer made it count as canceled there."),
    ]
}
