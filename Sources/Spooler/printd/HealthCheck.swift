// What `printq doctor` says of the spooler.

import Glibc
import PrintModel
import PrintScheduler
import PrintSpool
import PrintWork

/// Looks at everything that must hold for jobs to be printed.
struct HealthCheck {
    let settings: SpoolerDaemon.Settings
    let spool: Spool
    let worker: WorkerPool
    let directory: PrinterDirectory
    let listeners: Listeners

    /// A line for each thing looked at, beginning with `ok:`, `warning:` or `error:`.
    func lines() async -> [String] {
        var lines = [
            "ok: printd \(getpid()) keeps the spool \(settings.spool)", "ok: it listens on \(listeners.socket)",
        ]
        lines.append(tcpLine)
        lines += tlsLines
        lines.append(spaceLine)
        lines.append(await holdingsLine())
        lines += await workerLines()
        lines.append(await htmlLine())
        lines += await printerLines()
        return lines
    }

    private var tcpLine: String {
        let places = listeners.tcp.map(\.description).joined(separator: " and ")
        let way =
            "use 'export CUPS_SERVER=\(listeners.socket)', or start 'printd --listen localhost:PORT' with another port"
        if !places.isEmpty {
            let ways = listeners.security.contains(.tls) ? "ipp: and ipps:" : "ipp:"
            return "ok: lp and other clients of this machine reach it at \(places) (\(ways))"
        }
        if let problem = listeners.listening.problem { return "warning: it listens on no TCP port: \(problem)" }
        if PortOwner.user(of: Self.usualPort) != nil {
            return "warning: it listens on no TCP port, and 'lp -h localhost:\(Self.usualPort)' prints elsewhere: "
                + "\(PortOwner.words(of: Self.usualPort)) has that port; \(way)"
        }
        return "ok: it listens on no TCP port; for lp and other clients start 'printd --listen localhost:8631'"
    }

    /// The port that the documentation names.
    private static let usualPort = 8631

    private var tlsLines: [String] {
        listeners.tlsProblem.map { ["warning: clients cannot use ipps: (TLS): \($0)"] } ?? []
    }

    private var spaceLine: String {
        var file = statvfs()
        guard statvfs(settings.spool, &file) == 0 else { return "error: the spool's disk cannot be looked at" }
        let free = (UInt64(file.f_bavail) * UInt64(file.f_frsize)) >> 20
        return free < 100
            ? "warning: only \(free) MiB are free for the spool; make room, or jobs will be refused"
            : "ok: \(free) MiB are free for the spool"
    }

    private func holdingsLine() async -> String {
        let held: Spool.Usage
        do throws(SpoolError) {
            held = try await spool.holdings()
        } catch {
            return "error: the spool's database cannot be read: \(error.message)"
        }
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        func size(_ bytes: Int) -> String { bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(bytes >> 20) MiB" }
        return "ok: the spool holds \(count(held.jobs, "job")), \(held.unfinished) of them not ended, in "
            + "\(size(held.databaseBytes)) of database and \(size(held.fileBytes)) of documents; "
            + "\(count(held.orphansRemoved, "orphan")) removed since it was opened"
    }

    private func workerLines() async -> [String] {
        do throws(WorkError) {
            let protections = try await worker.probe()
            return [
                protections.systemCalls
                    ? "ok: print-worker is kept from the network and from other processes (seccomp)"
                    : "error: print-worker cannot be kept from the network: this kernel has no seccomp filter",
                landlockLine(protections),
            ]
        } catch {
            return ["error: print-worker does not work: \(error.message)"]
        }
    }

    private func landlockLine(_ protections: WorkerProtections) -> String {
        switch (protections.files, settings.kept.requiresLandlock) {
        case (true, _): "ok: print-worker sees only its own job's files (Landlock ABI \(protections.landlockVersion))"
        case (false, false): "warning: print-worker can read other files: this kernel has no Landlock"
        case (false, true):
            "error: documents wait, because this kernel has no Landlock; boot a kernel with Landlock, or set "
                + "worker.requireLandlock to false in printd.json5 and restart printd"
        }
    }

    /// Whether programs that print HTML find what lays it out; printd itself needs it not.
    private func htmlLine() async -> String {
        await Thread.result {
            let engine = HTMLEngine(warm: 0)
            do throws(WorkError) {
                let versions = try engine.probe()
                return "ok: the HTML engine in \(engine.installation ?? "") works (\(versions))"
            } catch {
                let severity = engine.installation == nil ? "warning" : "error"
                let detail = error.detail.map { ": \($0)" } ?? ""
                return "\(severity): \(error.message)\(detail)"
            }
        }
    }

    private func printerLines() async -> [String] {
        let printers: [ConfiguredPrinter]
        do throws(SpoolError) {
            printers = try await spool.printers()
        } catch {
            return ["error: the printers cannot be read: \(error.message)"]
        }
        guard !printers.isEmpty else { return ["warning: there is no printer"] }
        var lines: [String] = []
        for printer in printers {
            let status = await directory.status(of: printer)
            if printer.isPaused {
                let why = printer.pauseMessage.isEmpty ? "" : " (\(printer.pauseMessage))"
                lines.append(
                    "warning: \(printer.name) is paused\(why); it goes on with 'printq printers resume \(printer.name)'"
                )
            }
            if let status, status.state == .stopped, !printer.isPaused {
                lines.append("warning: \(printer.name) has stopped: \(status.message)")
            } else if status == nil {
                lines.append(
                    "error: \(printer.name) (\(printer.deviceURI)) cannot be reached\(await whySilent(printer))")
            } else if !printer.isPaused {
                lines.append("ok: \(printer.name) answers")
            }
        }
        if printers.count > 1, !printers.contains(where: \.isDefault) {
            lines.append(
                "warning: no printer is the default one, and jobs must name theirs; "
                    + "choose one with 'printq printers default NAME'")
        }
        return lines
    }

    /// What went wrong on the way to a printer, as the end of a sentence.
    private func whySilent(_ printer: ConfiguredPrinter) async -> String {
        do {
            _ = try await directory.backend(for: printer).status()
            return " at all times"
        } catch let error as BackendError {
            return ": \(error.message)"
        } catch {
            return ": \(error)"
        }
    }
}
