// Defines the files that an idle spool may contain.

/// The layout of a spool, as documented in `Spool/README.md`.
package enum SpoolFiles {
    /// Returns whether an idle spool may contain a path; folders end with a slash.
    ///
    /// - Parameter jobs: The numbers of the jobs in the queue and its history.
    package static func belongs(_ path: String, jobs: Set<Int>) -> Bool {
        let parts = path.split(separator: "/")
        switch parts.first {
        case "jobs" where parts.count > 1, "copies" where parts.count > 1:
            guard let id = Int(parts[1]), jobs.contains(id) else { return false }
            return path == "\(parts[0])/\(id)/"
                || parts.count == 3 && parts[2].wholeMatch(of: /document-\d+\.\w+|prepared\.pdf/) != nil
        case "output" where parts.count > 1:
            return path.wholeMatch(of: printerFile) != nil
        case "jobs", "copies", "incoming", "output", "uploads", "views": return path == "\(parts[0])/"
        default:
            return [
                "spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm", "reserve", "lock", "printd.sock",
                "printsim.sock", "printd.log", "printsim.log", "printd.json5", "running.json", "migration.json",
                "sessions.json", "audit.log", "host", "copied-to", "tls/", "tls/certificate.pem", "tls/key.pem",
            ].contains(path)
        }
    }

    nonisolated(unsafe) private static let printerFile =
        /output\/[\w-]+\/(lock|state\.json(\.old)?|printer\.log|incoming\/|(printer-)?job-\d{6,}(-\d+)?\/(original\.pdf|job\.json|request(-\d+)?\.ipp|sheets\.pdf|page-\d{4,}\.png))/
}
