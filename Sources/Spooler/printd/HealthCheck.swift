// Runs the checks of `printq doctor`.

import Glibc
import PrintModel
import PrintScheduler
import PrintSpool
import PrintWork

/// The checks of the requirements for printing.
struct HealthCheck {
    let settings: SpoolerDaemon.Settings
    let spool: Spool
    let documents: ConvertingWorkerPool
    let registered: RegisteredTypes
    let directory: PrinterDirectory
    let listeners: Listeners

    /// Runs all checks.
    ///
    /// Returns one line for each check. A line begins with `ok:`, `warning:` or `error:`.
    func lines() async -> [String] {
        var lines = [
            "ok: printd \(getpid()) manages the spool \(settings.spool)", "ok: printd listens on \(listeners.socket)",
        ]
        lines.append(tcpLine)
        lines += tlsLines
        lines.append(spaceLine)
        lines.append(await holdingsLine())
        lines += await workerLines()
        lines.append(await htmlLine())
        lines += documentLines
        lines += await printerLines()
        return lines
    }

    private var tcpLine: String {
        let places = listeners.tcp.map(\.description).joined(separator: " and ")
        let way =
            "use 'export CUPS_SERVER=\(listeners.socket)', or start 'printd --listen localhost:PORT' with another port"
        if !places.isEmpty {
            let ways = listeners.security.contains(.tls) ? "ipp: and ipps:" : "ipp:"
            return "ok: lp and other clients on this machine can connect to \(places) (\(ways))"
        }
        if let problem = listeners.listening.problem { return "warning: printd has no TCP port: \(problem)" }
        if PortOwner.user(of: Self.usualPort) != nil {
            return "warning: printd has no TCP port, and port \(Self.usualPort) is used by "
                + "\(PortOwner.words(of: Self.usualPort)), so 'lp -h localhost:\(Self.usualPort)' prints there; \(way)"
        }
        return "ok: printd has no TCP port; for lp and other clients, start 'printd --listen localhost:8631'"
    }

    /// The TCP port that the documentation uses in examples.
    private static let usualPort = 8631

    private var tlsLines: [String] {
        listeners.tlsProblem.map { ["warning: clients cannot connect with TLS (ipps:): \($0)"] } ?? []
    }

    private var spaceLine: String {
        var file = statvfs()
        guard statvfs(settings.spool, &file) == 0 else {
            return "error: cannot read the free space of the spool's disk"
        }
        let free = (UInt64(file.f_bavail) * UInt64(file.f_frsize)) >> 20
        return free < 100
            ? "warning: only \(free) MiB are free for the spool; free some disk space, or printd will refuse jobs"
            : "ok: \(free) MiB are free for the spool"
    }

    private func holdingsLine() async -> String {
        let held: Spool.Usage
        do throws(SpoolError) {
            held = try await spool.holdings()
        } catch {
            return "error: cannot read the spool's database: \(error.message)"
        }
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        func size(_ bytes: Int) -> String { bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(bytes >> 20) MiB" }
        return "ok: the spool contains \(count(held.jobs, "job")), \(held.unfinished) of them not ended; "
            + "\(size(held.databaseBytes)) of database and \(size(held.fileBytes)) of documents; "
            + "\(count(held.orphansRemoved, "orphaned file")) removed since printd started"
    }

    private func workerLines() async -> [String] {
        do throws(WorkError) {
            let protections = try await documents.pool.probe()
            return [
                protections.systemCalls
                    ? "ok: print-worker is isolated from the network and from other processes (seccomp)"
                    : "error: print-worker cannot be isolated from the network: this kernel has no seccomp filter",
                landlockLine(protections),
            ]
        } catch {
            return ["error: print-worker failed: \(error.message)"]
        }
    }

    private func landlockLine(_ protections: WorkerProtections) -> String {
        switch (protections.files, settings.kept.requiresLandlock) {
        case (true, _):
            "ok: print-worker can read only the files of its job (Landlock ABI \(protections.landlockVersion))"
        case (false, false): "warning: print-worker can read other files: this kernel has no Landlock"
        case (false, true):
            "error: documents wait because this kernel has no Landlock; boot a kernel with Landlock, or set "
                + "worker.requireLandlock to false in printd.json5 and restart printd"
        }
    }

    /// The lines about the converters of documents, and about the types that administrators registered.
    private var documentLines: [String] {
        let types = documents.printableTypes
        let printable = types.registry.types.count { types.obstacle(for: $0) == nil }
        var lines = ["ok: documents of \(printable) types can be printed; see 'printq types'"]
        var told: Set<String> = []
        for type in types.registry.types where type.converter.engine != .html {
            guard let obstacle = types.obstacle(for: type), told.insert(obstacle.message).inserted else { continue }
            lines.append("warning: \(type.name): \(obstacle.message)")
        }
        let fonts = OfficeFonts.missingPackages()
        if !fonts.isEmpty, OfficeInstallation.find() != nil {
            lines.append(
                "warning: Office documents with the fonts of Microsoft Office have other line breaks; install "
                    + fonts.joined(separator: ", "))
        }
        return lines + registered.errors.map { "error: \($0)" }
    }

    /// Checks the HTML engine, which converts HTML, Markdown, e-mail and source code.
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
            return ["error: cannot read the printers: \(error.message)"]
        }
        guard !printers.isEmpty else { return ["warning: there are no printers; add one with 'printq printers add'"] }
        var lines: [String] = []
        for printer in printers {
            let status = await directory.status(of: printer)
            if printer.isPaused {
                let why = printer.pauseMessage.isEmpty ? "" : " (\(printer.pauseMessage))"
                lines.append(
                    "warning: \(printer.name) is paused\(why); "
                        + "'printq printers resume \(printer.name)' resumes the printer"
                )
            }
            if let status, status.state == .stopped, !printer.isPaused {
                lines.append("warning: \(printer.name) is stopped: \(status.message)")
            } else if status == nil {
                lines.append(
                    "error: \(printer.name) (\(printer.deviceURI)) cannot be reached\(await whySilent(printer))")
            } else if !printer.isPaused {
                lines.append("ok: \(printer.name) responds")
            }
        }
        if printers.count > 1, !printers.contains(where: \.isDefault) {
            lines.append(
                "warning: there is no default printer, so jobs must name a printer; "
                    + "choose a default printer with 'printq printers default NAME'")
        }
        return lines
    }

    /// Returns the reason why a printer cannot be reached, as the end of a sentence.
    private func whySilent(_ printer: ConfiguredPrinter) async -> String {
        do {
            _ = try await directory.backend(for: printer).status()
            return " reliably"
        } catch let error as BackendError {
            return ": \(error.message)"
        } catch {
            return ": \(error)"
        }
    }
}
