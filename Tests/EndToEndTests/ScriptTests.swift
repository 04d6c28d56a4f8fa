// Tests the scripts of the checkout: what they install, and what they cost.

import Foundation
import PrintTestSupport
import Testing

/// Each test replaces programs with recorders: a recorder appends its name and its arguments to a file.
@Suite(.timeLimit(.minutes(1)))
struct ScriptTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a script with recorders, and returns the calls of the recorders.
    ///
    /// - Parameter recorders: The commands that the recorders execute after recording, by name.
    private func run(
        _ script: String, _ arguments: String..., recorders: [String: String], environment: [String: String] = [:]
    ) async throws -> (run: ProgramRun, calls: [String]) {
        let record = folder.path("calls")
        try Data().write(to: URL(filePath: record))
        for (name, command) in recorders {
            let path = folder.path(name)
            try Data("#!/bin/sh\necho \"\(name) $*\" >>'\(record)'\n\(command)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let run = try await ProgramRun(
            "\(Self.root)/scripts/\(script)", arguments,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"].merging(environment) { $1 }, in: folder.path)
        let calls = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
        return (run, calls)
    }

    /// A `dpkg-query` that reports all packages as installed, except one, for which it fails as the real one.
    private static func installed(except missing: String) -> String {
        """
        shift 2
        for name; do
            if [ "$name" = '\(missing)' ]; then code=1; else echo "ii $name"; fi
        done
        exit ${code:-0}
        """
    }

    @Test(arguments: ["run", "documents", "tests", "package"])
    func `a part whose packages are installed costs one call of dpkg-query`(part: String) async throws {
        // An HTML engine of the right version.
        let engine = folder.path("engine")
        try FileManager.default.createDirectory(atPath: "\(engine)/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(engine)/bin/python", withDestinationPath: "/bin/true")
        try FileManager.default.copyItem(
            atPath: "\(Self.root)/scripts/html-engine.txt", toPath: "\(engine)/packages.txt")
        let (run, calls) = try await run(
            "setup", part,
            recorders: ["dpkg-query": Self.installed(except: ""), "apt-get": "exit 99", "sudo": "exit 99"],
            environment: ["PRINTQ_HTML_ENGINE": engine, "HOME": folder.path])
        #expect(run.code == 0, "\(run.complaints)")
        #expect(calls.filter { $0.hasPrefix("dpkg-query ") }.count == 1)
        #expect(!calls.contains { $0.hasPrefix("apt-get") || $0.hasPrefix("sudo") }, "\(calls)")
    }

    @Test func `before an installation, the user sees each missing package, its purpose and the sizes`() async throws {
        let aptGet = """
            case "$*" in *--assume-no*)
                echo '0 upgraded, 7 newly installed, 0 to remove and 0 not upgraded.'
                echo 'Need to get 1234 kB of archives.'
                echo 'After this operation, 5678 kB of additional disk space will be used.'
                exit 1 ;;
            esac
            """
        let (run, calls) = try await run(
            "setup", "run",
            recorders: [
                "dpkg-query": Self.installed(except: "libqpdf-dev"), "apt-get": aptGet, "sudo": "exec \"$@\"",
                // The test installs no package, and changes no service.
                "tee": "cat >/dev/null", "rm": "", "systemctl": "", "deb-systemd-helper": "", "chmod": "", "mkdir": "",
            ])
        #expect(run.code == 0, "\(run.complaints)")
        #expect(run.complaints.contains("the structure of PDF: libqpdf-dev\n"), "\(run.complaints)")
        #expect(!run.complaints.contains("libcairo2-dev"))
        #expect(
            run.complaints.contains("7 packages with their dependencies, 1234 kB to download, 5678 kB on the disk"),
            "\(run.complaints)")
        let installation = calls.last { $0.hasPrefix("apt-get") }
        #expect(installation?.hasSuffix("--no-install-recommends libqpdf-dev") == true, "\(calls)")
    }

    @Test(arguments: [[], ["everything"]])
    func `setup without a known part fails and names the parts`(arguments: [String]) async throws {
        let run = try await ProgramRun(
            "\(Self.root)/scripts/setup", arguments, environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
        #expect(run.code == 64)
        #expect(run.complaints.contains("scripts/setup --help"))
    }

    @Test(arguments: ["printq", "printsim"])
    func `after the build, a program of the checkout starts without a look at packages or commits`(
        name: String
    ) async throws {
        let (run, calls) = try await run(
            name, "--version",
            recorders: ["dpkg-query": "exit 99", "git": "exit 99", "swift": "exit 99", "apt-get": "exit 99"])
        #expect(run.code == 0, "\(run.complaints)")
        #expect(run.output.hasPrefix("\(name) "))
        #expect(calls == [])
    }
}
