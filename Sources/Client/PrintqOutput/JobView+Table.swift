// Formats jobs as a table.

package import PrintModel
import SpoolerClient

extension [JobView] {
    /// Returns the jobs as a table of the queue or, if `ended` is true, of the log.
    package func table(now: UnixTime, ended: Bool = false) -> TextTable {
        var table = TextTable(
            [
                .right("JOB"), .left("PRINTER"), .flexible("OWNER"), .left("STATE"), .right("PAGES"),
                .left(ended ? "ENDED" : "SINCE"), .flexible("NAME"),
            ] + (ended ? [.flexible("REASON")] : []))
        for job in self {
            let moment = ended ? job.completedAt : job.createdAt
            table.add([
                "\(job.id)", job.printer, job.owner, job.stateWords(now: now), job.pages,
                moment.map { LocalTime.short($0, now: now) } ?? "", job.name, job.endReason,
            ])
        }
        return table
    }
}
