// The fences around one request.

import CSandbox
import Glibc
import PrintModel

/// Locks the process in to what a request needs.
enum Fence {
    /// What any document may need of the system: libraries, fonts, character sets, colour profiles, time zones.
    ///
    /// Of `/etc` only what is meant for everyone; programs' secrets lie there too.
    private static let readable = [
        "/usr", "/lib", "/lib32", "/lib64",
        "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/locale.alias", "/etc/magic", "/etc/papersize",
        "/etc/alternatives", "/var/cache/fontconfig",
        "/dev/zero", "/dev/random", "/dev/urandom", "/proc/self", "/sys/devices/system/cpu",
    ]

    /// Locks in, for good.
    ///
    /// Temporary files of libraries go to the request's own folder, as there is no other to write to.
    static func lock(for request: WorkerRequest) -> Result<WorkerProtections, WorkError> {
        let writable = request.outputFolders
        if let folder = writable.first { setenv("TMPDIR", folder, 1) }
        sandbox_watch_memory()
        var report = sandbox_report()
        let error = withCStrings(readable + request.inputs) { readable in
            withCStrings(writable + ["/dev/null"]) { writable in
                var rules = sandbox_rules(
                    readable: readable.baseAddress, readable_count: readable.count,
                    writable: writable.baseAddress, writable_count: writable.count)
                return sandbox_lock(&rules, &report)
            }
        }
        guard error == 0 else {
            let step = report.failed.map { String(cString: $0) } ?? "a system call"
            return .failure(
                WorkError(
                    .workerUnavailable,
                    "the worker could not shut itself in, so it opened no document; run 'printq doctor'",
                    detail: "\(step): \(String(cString: strerror(error)))"))
        }
        return .success(
            WorkerProtections(systemCalls: report.seccomp != 0, landlockVersion: Int(report.landlock_abi)))
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R
    ) -> R {
        let copies = strings.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
        return copies.withUnsafeBufferPointer(body)
    }
}
