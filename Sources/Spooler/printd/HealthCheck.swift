// Runs the checks of `printq doctor` in a running printd.

import DocumentFiles
import Glibc
import OpenIDConnect
import PrintCenter
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintWork
import SpoolConfiguration

/// The health checks that `printd` runs for `printq doctor`.
struct HealthCheck {
    let settings: SpoolerDaemon.Settings
    let spool: Spool
    let documents: ConvertingWorkerPool
    let registered: RegisteredTypes
    let directory: PrinterDirectory
    let listeners: Listeners
    let centerPort: CenterPort
    let sharing: SharingState
    let openID: (check: OpenIDConnect, settings: SpoolSettings)

    /// Runs all checks, and returns the findings.
    func findings() async -> [HealthFinding] {
        // The slow checks run concurrently: each of them starts processes, or waits for printers or for the database.
        async let printers = printerFindings()
        async let database = holdings()
        async let hosts = HostHealth(spool: spool).findings()
        async let converters = DocumentHealth(
            settings: settings.spoolSettings, documents: documents, registered: registered
        ).findings()
        var findings = [
            HealthFinding(.daemon, "printd", .ok, "printd \(getpid()) manages the spool \(settings.spool)"),
            HealthFinding(.daemon, "socket", .ok, "printd listens on \(listeners.socket)"), await tcp(),
        ]
        findings += network + (await tokens()) + (await shared()) + tls
        findings.append(space)
        findings.append(await database)
        return await findings + hosts + converters + printers
    }

    private func tcp() async -> HealthFinding {
        let places = listeners.tcp.map(\.description).joined(separator: " and ")
        func finding(_ state: HealthFinding.State, _ message: String, _ advice: String? = nil) -> HealthFinding {
            HealthFinding(.daemon, "tcp", state, message, advice: advice)
        }
        if !places.isEmpty {
            let schemes = listeners.security.contains(.tls) ? "ipp: and ipps:" : "ipp:"
            return finding(.ok, "lp and other clients on this machine can connect to \(places) (\(schemes))")
        }
        if let problem = listeners.listening.problem {
            return finding(.warning, "printd has no TCP port: \(problem)")
        }
        if PortOwner.user(of: Self.usualPort) != nil {
            return finding(
                .warning,
                "printd has no TCP port, and port \(Self.usualPort) is used by \(PortOwner.text(of: Self.usualPort)), "
                    + "so 'lp -h localhost:\(Self.usualPort)' sends jobs to that program",
                "use 'export CUPS_SERVER=\(listeners.socket)', or start 'printd --listen localhost:PORT' with another "
                    + "port")
        }
        let advice = "for lp and other clients, start 'printd --listen localhost:8631'"
        if let address = await centerPort.address {
            return finding(
                .ok, "printd has no TCP port, except \(address), which serves only the Print Center", advice)
        }
        return finding(.ok, "printd has no TCP port", advice)
    }

    /// The TCP port that the documentation uses in examples.
    private static let usualPort = 8631

    private func shared() async -> [HealthFinding] {
        guard let problem = sharing.problem, let printers = try? await spool.printers() else { return [] }
        let names = printers.filter(\.isShared).map(\.name).joined(separator: ", ")
        guard !names.isEmpty else { return [] }
        return [
            HealthFinding(.daemon, "sharing", .warning, "the shared printers \(names) are not published: \(problem)")
        ]
    }

    private var network: [HealthFinding] {
        if let problem = listeners.listening.networkProblem {
            return [
                HealthFinding(
                    .daemon, "network", .warning, "clients on the network cannot connect: \(problem)",
                    advice: "see 'printq network'")
            ]
        }
        let places = listeners.network.map(\.description).joined(separator: " and ")
        guard !places.isEmpty else { return [] }
        let fingerprint = listeners.certificate.fingerprint.map { "; the SHA-256 fingerprint is \($0)" } ?? ""
        let machine = settings.spoolSettings.acceptsMachineAccounts ? MachineLogins.current.problem : nil
        return [
            HealthFinding(
                .daemon, "network", .ok, "clients on the network can connect to \(places) (ipps:)\(fingerprint)")
        ]
            + (machine.map {
                [HealthFinding(.daemon, "network", .warning, "the setting network.pam has no effect: \($0)")]
            } ?? [])
    }

    private func tokens() async -> [HealthFinding] {
        guard !listeners.network.isEmpty else { return [] }
        let incomplete = Provider.problem(of: openID.settings)
        let problem = if let incomplete { incomplete } else { await openID.check.problem() }
        return problem.map {
            [HealthFinding(.daemon, "network", .warning, "tokens of OpenID Connect are not accepted: \($0)")]
        } ?? []
    }

    private var tls: [HealthFinding] {
        listeners.certificate.problem.map {
            [HealthFinding(.daemon, "tls", .warning, "clients cannot connect with TLS (ipps:): \($0)")]
        } ?? []
    }

    private var space: HealthFinding {
        var file = statvfs()
        guard statvfs(settings.spool, &file) == 0 else {
            return HealthFinding(.spool, "disk-space", .error, "cannot read the free space of the spool's disk")
        }
        let free = (UInt64(file.f_bavail) * UInt64(file.f_frsize)) >> 20
        return free < 100
            ? HealthFinding(
                .spool, "disk-space", .warning, "only \(free) MiB are free for the spool",
                advice: "free some disk space; otherwise printd will refuse jobs")
            : HealthFinding(.spool, "disk-space", .ok, "\(free) MiB are free for the spool")
    }

    private func holdings() async -> HealthFinding {
        let held: Spool.Usage
        do throws(SpoolError) {
            held = try await spool.holdings()
        } catch {
            return HealthFinding(.spool, "database", .error, "cannot read the spool's database: \(error.message)")
        }
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        func size(_ bytes: Int) -> String { bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(bytes >> 20) MiB" }
        return HealthFinding(
            .spool, "database", .ok,
            "the spool contains \(count(held.jobs, "job")) (\(held.unfinished) unfinished), "
                + "\(size(held.databaseBytes)) of database and \(size(held.fileBytes)) of documents; "
                + "\(count(held.orphansRemoved, "orphaned file")) removed since printd started")
    }

    private func printerFindings() async -> [HealthFinding] {
        do throws(SpoolError) {
            var printers = try await spool.printers()
            // This host does not query printers that only other hosts can reach.
            if let own = spool.hostName, let list = try? await spool.hostList() {
                printers.removeAll { !list.canReach($0.name, from: own) }
                if printers.isEmpty { return [] }
            }
            return await PrinterHealth(directory: directory).findings(of: printers)
        } catch {
            return [
                HealthFinding(.printers, "printers", .error, "cannot read the printers: \(error.message)")
            ]
        }
    }
}
