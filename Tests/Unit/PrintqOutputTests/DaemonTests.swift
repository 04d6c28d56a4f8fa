// Starting printd when nobody answers.

import Foundation
import PrintTestSupport
import Testing

@Suite struct DaemonTests {
    /// printq alone in a folder, with a script in printd's place; scripts write what they do to the spool.
    private func printq(beside script: String?, in folder: TemporaryFolder) throws -> String {
        let program = folder.path("printq")
        // Other programs write them: a file that this process has open for writing may be inherited by what other tests
        // start at that moment, and cannot be run as long as it is.
        try ChildProgram("cp", [printqPath, program]).finish()
        if let script {
            let writer = try ChildProgram("sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", folder.path("printd")])
            try writer.write("#!/bin/sh\n\(script)\n")
            try writer.finish()
        }
        return program
    }

    @Test func `printd is started beside printq, on the spool, in a session of its own, and its ready line awaited`()
        async throws
    {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        // The socket appears only when printd says so: the script lets the test serve, then is ready.
        let program = try printq(
            beside: """
                echo "$@" > "$2/arguments"
                ps -o sid= -p $$ | tr -d ' ' > "$2/session"; echo $$ > "$2/process"
                echo a complaint >&2
                while [ ! -S "$2/printd.sock" ]; do sleep 0.05; done
                echo '{"ready":true,"socket":"x","tcp":null}'
                """, in: programs)
        let running = Task { try await spool.printq("queue", program: program) }
        try await eventually("printd runs", in: spool.path) {
            FileManager.default.fileExists(atPath: spool.folder.path("process"))
        }
        try await serving(FakeQueue(), at: spool) {
            let run = try await running.value
            #expect(run.code == 0, "\(run.complaints)")
            #expect(run.output == "the queue is empty\n")
        }
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: spool.folder.path(name), encoding: .utf8)
        }
        #expect(try read("arguments") == "--spool \(spool.path) --idle-exit 600 --as-before\n")
        let process = try read("process")
        #expect(try read("session") == process)
        #expect(try read("printd.log") == "a complaint\n")
    }

    @Test func `a printd that will not start is one sentence with its reason and its log`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(
            beside: #"echo '{"ready":false,"message":"the spool is from a newer version"}'"#, in: programs)
        let run = try await spool.printq("queue", program: program)
        #expect(run.code == 69)
        #expect(
            run.complaints
                == "printq: printd does not start: the spool is from a newer version; see '\(spool.path)/printd.log'\n")
    }

    @Test func `a printd that ends without a word is told as such`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: "exit 3", in: programs)
        let run = try await spool.printq("doctor", program: program)
        #expect(run.code == 69)
        #expect(run.output.contains("warning: printd was not running"))
        #expect(run.complaints.hasPrefix("printq: printd does not start: it ended without saying why; see "))
    }

    @Test func `without a printd the sentence says where it was looked for`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: nil, in: programs)
        let run = try await spool.printq("queue", program: program)
        #expect(run.code == 69)
        #expect(
            run.complaints
                == "printq: printd is neither beside printq nor in PATH; install it, or start it by hand\n")
    }

    @Test func `a printq that finds the lock taken waits for the printd that has it`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: #"echo "$@" >> "$2/started""#, in: programs)
        let lock = open(spool.folder.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let running = Task { try await spool.printq("queue", program: program) }
        try await serving(FakeQueue(), at: spool) {
            let run = try await running.value
            #expect(run.code == 0, "\(run.complaints)")
        }
        #expect(!FileManager.default.fileExists(atPath: spool.folder.path("started")))
    }
}
