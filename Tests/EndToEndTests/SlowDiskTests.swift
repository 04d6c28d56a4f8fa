// Tests of a printd whose disk does not respond, or is slow.

import Foundation
import IPP
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import SpoolerClient
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct SlowDiskTests {
    /// The calls for which the disk of the documents does not respond.
    enum Call: String, CaseIterable { case write, fsync, syncFolder = "sync-folder", rename, read, list }

    private let disk: SlowDisk
    private let spooler: TestSpooler
    private let small: String

    init() async throws {
        spooler = try TestSpooler()
        disk = try await SlowDisk(for: spooler)
        try spooler.start(launcher: disk.launcher)
        small = try spooler.file("small.pdf", .numbered(pages: 1))
    }

    private func queue(_ client: IPPClient) -> Spooler {
        Spooler(client: client, user: "tester") { () throws(SpoolerClientError) in }
    }

    private func submit(_ queue: Spooler) async throws -> Int {
        try await queue.submit(JobSubmission(documents: [try DocumentFile(path: small)], id: UUID().uuidString))
    }

    /// Runs printq with a timeout: exit code 124 means that printq received no answer.
    private func quickly(_ arguments: String...) async throws -> ProgramRun {
        try await spooler.run("timeout", ["20", spooler.program("printq")] + arguments)
    }

    @Test(arguments: Call.allCases)
    func `while the disk of the documents does not respond, jobs are submitted, listed and canceled`(call: Call)
        async throws
    {
        let client = spooler.client
        let queue = queue(client)
        let printed = try #require(try await spooler.printq("submit", "--wait", small).jobID)
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        // A list of more than 50 jobs is encoded outside of the event loop.
        for _ in 0..<60 { _ = try await submit(queue) }
        let large = try spooler.file("large.pdf", try spooler.largePDF())
        expect(try await spooler.printq("submit", large))

        try disk.stall(call)
        let slow = Task { [spooler] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                // More uploads than processors.
                for number in 0..<8 {
                    group.addTask {
                        switch call {
                        case .read where number == 0:
                            expect(try await spooler.printq("backup", spooler.folder.path("backup.tar")))
                        case .read: break
                        case .list:
                            let client = spooler.client
                            let files = try await queue.job(printed, ["printq-output-files"])
                            #expect(!files.strings("printq-output-files").isEmpty)
                            await client.close()
                        default: expect(try await spooler.printq("submit", large))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await eventually("printd waits for \(call.rawValue)", in: disk.folder) {
            text(of: "\(disk.folder)/waiting").contains("\(call.rawValue) ")
        }
        let submission = try await quickly("submit", small)
        expect(submission)
        expect(try await quickly("queue"))
        if let job = submission.jobID { expect(try await quickly("cancel", "\(job)")) }
        try disk.go(call)
        try await slow.value
        await client.close()
    }

    @Test(.enabled(if: TestRun.isLong, "the test takes ten minutes and 16 GB of disk space"))
    func `during an upload and a backup of 4 GiB on a slow disk, 99 percent of the requests take less than 100 ms`()
        async throws
    {
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        let large = try spooler.file("large.pdf", try spooler.largePDF())
        #expect(truncate(large, 4 << 30) == 0)
        expect(try await spooler.printq("submit", large))
        try disk.delay()
        let slow = Task { [spooler, disk] in
            defer { disk.endTransfers() }
            async let upload = spooler.printq("submit", large)
            async let backup = spooler.printq("backup", spooler.folder.path("backup.tar"))
            expect(try await upload)
            expect(try await backup)
        }
        var times: [String: [Duration]] = [:]
        let client = spooler.client
        let queue = queue(client)
        func measure<Value>(_ name: String, _ body: () async throws -> Value) async rethrows -> Value {
            let start = ContinuousClock.now
            defer { times[name, default: []].append(ContinuousClock.now - start) }
            return try await body()
        }
        while try await disk.moreIsTransferred() {
            let job = try await measure("submit") { try await submit(queue) }
            _ = try await measure("list") { try await queue.ask(.getJobs) }
            _ = try await measure("cancel") { try await queue.ask(.cancelJob, job: job) }
        }
        try await slow.value
        await client.close()
        for (name, all) in times.sorted(by: { $0.key < $1.key }) {
            let sorted = all.sorted()
            let (middle, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
            print("\(name): \(sorted.count) requests, 50 % within \(middle), 99 % within \(most)")
            #expect(most < .milliseconds(100), "\(name)")
        }
    }
}

/// A library that makes the disk of the documents of printd slow (`slow-disk.c`).
private final class SlowDisk: Sendable {
    /// The folder in which tests determine the calls that the disk delays.
    let folder: String
    /// The path of a program that starts printd on the slow disk.
    let launcher: String

    init(for spooler: TestSpooler) async throws {
        folder = spooler.folder.path("disk")
        launcher = spooler.folder.path("launcher")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "SlowDisk/slow-disk.c").path
        let library = spooler.folder.path("slow-disk.so")
        expect(try await spooler.run("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]))
        let script = """
            #!/bin/sh
            export LD_PRELOAD='\(library)' SLOW_DISK_FOLDER='\(folder)'
            exec "$@"

            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: launcher))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: launcher)
    }

    func stall(_ call: SlowDiskTests.Call) throws { try make(call.rawValue) }
    func go(_ call: SlowDiskTests.Call) throws {
        try FileManager.default.removeItem(atPath: "\(folder)/\(call.rawValue)")
    }
    func delay() throws { try make("delay") }

    /// Waits until the slow disk has transferred at least 4 MiB since the last call.
    ///
    /// Returns false after the end of the transfers.
    func moreIsTransferred() async throws -> Bool {
        let before = seen.withLock { $0 }
        try await eventually("4 MiB are transferred", in: folder, within: .seconds(600)) {
            transferred > before || isOver
        }
        seen.withLock { $0 = transferred }
        return !isOver
    }

    /// Ends the series of `moreIsTransferred()`.
    func endTransfers() { try? make("over") }

    private let seen = Mutex(0)
    private var isOver: Bool { FileManager.default.fileExists(atPath: "\(folder)/over") }
    private var transferred: Int { FileManager.default.contents(atPath: "\(folder)/progress")?.count ?? 0 }

    private func make(_ name: String) throws { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
}
