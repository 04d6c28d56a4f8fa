// Tests how printq starts printd.

import Foundation
import PrintTestSupport
import Testing

@Suite struct DaemonTests {
    /// Copies printq to a folder, with a script in place of printd.
    ///
    /// Scripts write their results to the spool.
    private func printq(beside script: String?, in folder: TemporaryFolder) throws -> String {
        let program = folder.path("printq")
        // The program cp writes the files. If this process wrote a file, another test could start a program at that
        // moment. The started program would inherit the open file descriptor, and running the file would fail.
        try ChildProgram("cp", [printqPath, program]).finish()
        if let script {
            let writer = try ChildProgram("sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", folder.path("printd")])
            try writer.write("#!/bin/sh\n\(script)\n")
            try writer.finish()
        }
        return program
    }

    @Test func `printq starts printd from the folder of printq, in a separate session, and waits for the ready line`()
        async throws
    {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        // The socket must appear only after printd has started. The script starts the server of the test, and then
        // reports that the server is ready.
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
        #expect(try read("arguments") == "--spool \(spool.path) --on-demand\n")
        let process = try read("process")
        #expect(try read("session") == process)
        #expect(try read("printd.log") == "a complaint\n")
    }

    @Test func `if printd fails to start, the error contains the reason and the path of the log file`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(
            beside: #"echo '{"ready":false,"message":"the spool is from a newer version"}'"#, in: programs)
        let run = try await spool.printq("queue", program: program)
        #expect(run.code == 69)
        #expect(
            run.complaints
                == "printq: cannot start printd: the spool is from a newer version; see '\(spool.path)/printd.log'\n")
    }

    @Test func `if printd exits without a message, printq reports an error`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: "exit 3", in: programs)
        let run = try await spool.printq("queue", program: program)
        #expect(run.code == 69)
        #expect(run.complaints.hasPrefix("printq: cannot start printd: printd exited without a message; see "))
    }

    @Test func `if printd is not found, the error names the package to install`() async throws {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: nil, in: programs)
        let run = try await spool.printq("queue", program: program)
        #expect(run.code == 69)
        #expect(
            run.complaints
                == "printq: cannot find printd; install the package printd\n")
    }

    @Test
    func `printq does not start the system spooler, and the error names the command that starts the system spooler`()
        async throws
    {
        let (spool, programs) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let program = try printq(beside: #"echo "$@" >> "$HOME/started""#, in: programs)
        // A socket without a listener, as a killed printd leaves it.
        let socket = try spool.file("system.sock", "")
        for arguments in [["queue"], ["queue", "--spool", "/var/spool/printq"]] {
            let run = try await spool.run(
                arguments, environment: ["PRINTQ_SPOOL": "", "PRINTQ_SYSTEM_SOCKET": socket], program: program)
            #expect(run.code == 69)
            #expect(
                run.complaints == """
                    printq: the system spooler is not running: nothing listens on '\(socket)'; run 'systemctl start \
                    printd.socket' as root, or use a private spool (see 'printq init --help')

                    """)
        }
        #expect(!FileManager.default.fileExists(atPath: spool.folder.path("started")))
    }

    @Test func `printq reports that the system spooler is not running, even if standard output is a pipe`() async throws
    {
        let (spool, run) = (TestSpool(folder: try TemporaryFolder()), try TemporaryFolder())
        let state = spool.folder.path("printq")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let inner = TestSpool(folder: spool.folder)
        try await serving(FakeQueue(), at: "\(state)/printd.sock") {
            let queue = try await inner.printq(
                "queue",
                environment: [
                    "PRINTQ_SPOOL": "", "XDG_STATE_HOME": spool.path, "PRINTQ_SYSTEM_SOCKET": run.path("printd.sock"),
                ])
            #expect(queue.code == 0 && queue.output == "the queue is empty\n", "\(queue)")
            #expect(
                queue.complaints == """
                    printq: the system spooler is not running, so printq uses the private spool '\(state)'; \
                    'systemctl start printd.socket' starts the system spooler

                    """)
        }
    }

    @Test func `if the spool is locked, printq waits for the printd that holds the lock`() async throws {
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
