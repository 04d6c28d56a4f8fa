// Checks the workers and the converters for `printq doctor`, with or without a running printd.

import AsyncPrimitives
import DocumentFiles
import FoundationEssentials
import Glibc
import HTMLLayout
import PrintModel
import PrintServer
import PrintSpool
import PrintWork
import SafeFiles
import SpoolConfiguration

/// The health checks of the programs that read documents.
struct DocumentHealth {
    let settings: SpoolSettings
    let documents: ConvertingWorkerPool
    let registered: RegisteredTypes

    /// Runs the health checks of all programs that read documents, and returns the findings.
    func findings() async -> [HealthFinding] {
        async let html = html()
        let worker = await worker()
        return await worker + [html] + types() + fonts
            + registered.errors.map {
                HealthFinding(.documents, "registered-types", .error, "\($0)")
            }
    }

    private func worker() async -> [HealthFinding] {
        do throws(WorkError) {
            let protections = try await documents.pool.probe()
            return [
                protections.systemCalls
                    ? HealthFinding(
                        .documents, "worker-system-calls", .ok,
                        "print-worker is isolated from the network and from other processes (seccomp)")
                    : HealthFinding(
                        .documents, "worker-system-calls", .error,
                        "print-worker cannot be isolated from the network: this kernel has no seccomp filter",
                        advice: "boot a kernel with CONFIG_SECCOMP_FILTER"),
                landlock(protections),
            ]
        } catch {
            return [HealthFinding(.documents, "worker", .error, "print-worker failed: \(error.message)")]
        }
    }

    private func landlock(_ protections: WorkerProtections) -> HealthFinding {
        let check = "worker-files"
        return switch (protections.files, settings.requiresLandlock) {
        case (true, _):
            HealthFinding(
                .documents, check, .ok,
                "print-worker can read only the files of its job (Landlock ABI \(protections.landlockVersion); 1 is "
                    + "required)")
        case (false, false):
            HealthFinding(
                .documents, check, .warning,
                "print-worker is not restricted to the files of its job: this kernel has no Landlock",
                advice: "boot a kernel with Landlock")
        case (false, true):
            HealthFinding(
                .documents, check, .error, "documents wait because this kernel has no Landlock",
                advice: "boot a kernel with Landlock, or set worker.requireLandlock to false in printd.json5 and "
                    + "restart printd")
        }
    }

    /// Checks the HTML engine, which converts HTML, Markdown, e-mail and source code.
    private func html() async -> HealthFinding {
        await BlockingThreads.shared.run { [settings] in
            // The engine starts as the user of the workers, as for a document.
            let engine = HTMLEngine(warm: 0, user: settings.workerUser)
            do throws(WorkError) {
                let versions = try engine.probe(isConverting: true)
                return HealthFinding(
                    .documents, "html-engine", .ok,
                    "the HTML engine in \(engine.installation ?? "") works (\(versions))")
            } catch {
                let detail = error.detail.map { ": \($0)" } ?? ""
                return HealthFinding(
                    .documents, "html-engine", engine.installation == nil ? .warning : .error,
                    error.message + detail)
            }
        }
    }

    /// Returns the findings about document types: the number of printable types, and the reasons why other types cannot
    /// be printed.
    private func types() async -> [HealthFinding] {
        let types = await documents.printableTypes
        let printable = types.registry.types.count { types.unavailability(for: $0) == nil }
        var findings = [
            HealthFinding(
                .documents, "document-types", .ok,
                "documents of \(printable) types can be printed; see 'printq types'")
        ]
        var reported: Set<String> = []
        for type in types.registry.types where type.converter.engine != .html {
            guard let unavailability = types.unavailability(for: type), reported.insert(unavailability.message).inserted
            else { continue }
            findings.append(
                HealthFinding(.documents, "converter", .warning, "\(type.name): \(unavailability.message)"))
        }
        return findings
    }

    private var fonts: [HealthFinding] {
        guard OfficeInstallation.find() != nil else { return [] }
        let missing = OfficeFonts.missingPackages()
        guard !missing.isEmpty else {
            return [HealthFinding(.documents, "fonts", .ok, "the fonts for Office documents are installed")]
        }
        return [
            HealthFinding(
                .documents, "fonts", .warning,
                "fonts are missing, so the line breaks of Office documents can differ from those in Microsoft Office",
                advice: "install " + missing.joined(separator: ", "))
        ]
    }
}

extension DocumentHealth {
    /// Runs the checks that do not require a running `printd`, and writes the results to standard output as one line of
    /// JSON.
    ///
    /// The function does not open the spool. Therefore the checks do not change the spool.
    static func printFindings(settings: SpoolerDaemon.Settings) async {
        async let database = BlockingThreads.shared.run { connection(to: settings.spoolSettings.store) }
        let registered = RegisteredTypes(spool: settings.spool)
        let documents = ConvertingWorkerPool(settings.converters(registered.types))
        let findings = await DocumentHealth(
            settings: settings.spoolSettings, documents: documents, registered: registered
        ).findings()
        write(await database + findings)
        documents.shutdown()
    }

    /// Checks the connection to a shared database.
    private static func connection(to store: String?) -> [HealthFinding] {
        guard let store else { return [] }
        do throws(SpoolError) {
            try SpoolMedium.connect(to: store)
            return [HealthFinding(.spool, "database-server", .ok, "the shared database responds")]
        } catch {
            return [HostHealth.finding(of: error)]
        }
    }

    /// Writes findings to standard output as one line of JSON.
    static func write(_ findings: [HealthFinding]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = ((try? encoder.encode(findings)) ?? Data("[]".utf8)) + Data("\n".utf8)
        try? FileBytes.write(line, to: STDOUT_FILENO)
    }
}
