import Foundation
import PrintTestSupport
import Synchronization
import Testing

@testable import SpoolerClient

struct DaemonLauncherTests {
    /// A folder with a program that replaces printd.
    private final class Site {
        let folder = "\(FileManager.default.temporaryDirectory.path)/launcher-\(UUID().uuidString)"
        var program: String { "\(folder)/printd" }

        init(script: (_ folder: String) -> String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let source = "\(folder)/printd.source"
            try script(folder).write(toFile: source, atomically: false, encoding: .utf8)
            // Only a separate process opens the program for writing. A process that a parallel test starts at the same
            // time would inherit the open file, and the program could not be executed.
            let copy = try ChildProgram("install", ["-m", "755", source, program]).finish()
            #expect(copy.code == 0, "\(copy.output)")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func launcher(
            timeout: Duration, onWait: @escaping @Sendable (String) -> Void = { _ in }
        ) throws -> DaemonLauncher {
            let place = try SpoolLocation(named: "\(folder)/spool", environment: [:], workingDirectory: "/")
            return DaemonLauncher(place: place, program: program, timeout: timeout, onWait: onWait)
        }
    }

    @Test func `if printd is still starting at the deadline, the error does not report that printd exited`() throws {
        // The first printd fails, and the second printd needs longer than the deadline.
        let site = try Site { folder in
            """
            #!/bin/sh
            [ -e '\(folder)/failed' ] && exec sleep 5
            touch '\(folder)/failed'
            exit 3

            """
        }
        let launcher = try site.launcher(timeout: .seconds(3))
        let error = #expect(throws: SpoolerClientError.self) { try launcher.start() }
        #expect(error?.message.contains("printd did not listen on") == true, "\(error?.message ?? "")")
    }

    @Test func `while printd migrates the spool, the launcher reports the migration once, and extends its deadline`()
        throws
    {
        // A migration takes longer than the deadline. `MigrationTests` has the same text of the file.
        let site = try Site { folder in
            """
            #!/usr/bin/python3
            import fcntl, json, os, socket, time
            os.chdir("\(folder)/spool")
            lock = open("lock", "w")
            fcntl.flock(lock, fcntl.LOCK_EX)
            with open("migration.new", "w") as file:
                file.write('{"from":1,"jobs":20,"process":7,"step":2,"to":4}\\n')
            os.rename("migration.new", "migration.json")
            time.sleep(2)
            os.unlink("migration.json")
            listener = socket.socket(socket.AF_UNIX)
            listener.bind("printd.sock")
            listener.listen()
            print(json.dumps({"ready": True, "socket": "printd.sock"}), flush=True)
            listener.accept()

            """
        }
        let notes = Mutex<[String]>([])
        let launcher = try site.launcher(timeout: .seconds(1)) { note in notes.withLock { $0.append(note) } }
        try launcher.start()
        #expect(
            notes.withLock { $0 } == [
                "printd is migrating the spool to schema 4 (20 jobs) for this version of printq; waiting until the "
                    + "migration is complete"
            ])
    }
}
