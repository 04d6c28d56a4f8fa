// Tests the real programs: crashes, several hosts, upgrades, resource leaks, silent printers, a full disk, and the attack
// of another user.
//
//     spooler-trial crash --rounds 1000 --seed 7 --report json
//
// The exit code is 0 if no violation was found, 1 if a violation was found, and 64 for a wrong command line.

import Foundation
import Glibc
import SpoolerTrials

@main
enum SpoolerTrial {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let options: TrialOptions
        do {
            options = try TrialOptions(CommandLine.arguments.dropFirst())
        } catch {
            say("spooler-trial: \(error)")
            exit(64)
        }
        let folder = options.folder ?? "\(NSTemporaryDirectory())printq-\(UUID().uuidString)"
        let watch = Interruption(folder: folder)
        let report: any TrialReport
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            report =
                switch options.trial {
                case .crash: try await CrashTrial.run(options, folder: folder)
                case .matrix: try await CrashMatrix.run(options, folder: folder)
                case .fullDisk: try await FullDiskTrial.run(options, folder: folder)
                case .silentPrinters: try await SilentPrintersTrial.run(options, folder: folder)
                case .leaks: try await LeakTrial.run(options, folder: folder)
                case .hosts: try await HostsTrial.run(options, folder: folder)
                case .upgrade: try await UpgradeTrial.run(options, folder: folder)
                case .stranger: try StrangerTrial.run(options)
                }
        } catch {
            say("spooler-trial: \(error); see \(folder)")
            TrialSpooler.endAll(of: folder)
            exit(1)
        }
        TrialSpooler.endAll(of: folder)
        withExtendedLifetime(watch) {}
        print(options.isJSON ? report.json : report.text)
        for problem in report.problems { say(problem) }
        if options.isInside, options.disk == .spool { PrivateMounts.unmount("\(folder)/spool") }
        if report.problems.isEmpty {
            try? FileManager.default.removeItem(atPath: folder)
        } else {
            say("the spool is in \(folder)")
        }
        exit(report.problems.isEmpty ? 0 : 1)
    }

    /// Writes a line to standard error.
    static func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

/// The result of a trial.
protocol TrialReport: Encodable {
    /// The violations, one line each.
    var problems: [String] { get }
    /// The results as text.
    var text: String { get }
}

extension TrialReport {
    /// The results as JSON with sorted keys.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// A handler that ends all started processes when the trial is interrupted.
private final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(folder: String) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                SpoolerTrial.say("interrupted by signal \(number)")
                TrialSpooler.endAll(of: folder)
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }
}
