// Jobs with options that this version does not know.

import GRDB
import PrintModel

extension Spool {
    /// What people are told of a job with unknown options.
    static func unknownOptions(of id: Int) -> String {
        "The job has options that this version of printq does not know, so it is held; install the newer version, "
            + "then run 'printq release \(id)'"
    }

    /// Holds a waiting job whose options are unknown here; its stored options stay as they are.
    func holdUnknown(_ job: Job, in db: Database) throws {
        guard job.state == .pending else { return }
        var held = job
        held.state = .pendingHeld
        held.reasons = [.jobHoldUntilSpecified, .unsupportedAttributesOrValues]
        held.message = Self.unknownOptions(of: job.id)
        held.retryAt = nil
        try store(held, since: job, in: db)
        try appendEvent("job-state-changed", of: held, message: held.message, in: db)
    }
}
