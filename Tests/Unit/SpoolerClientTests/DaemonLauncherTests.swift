import Foundation
import Testing

@testable import SpoolerClient

struct DaemonLauncherTests {
    @Test func `if printd is still starting at the deadline, the error does not report that printd exited`() throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/launcher-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The first printd fails, and the second printd needs longer than the deadline.
        let (program, mark) = ("\(folder)/printd", "\(folder)/failed")
        try """
        #!/bin/sh
        [ -e '\(mark)' ] && exec sleep 5
        touch '\(mark)'
        exit 3

        """.write(toFile: program, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let place = try SpoolLocation(named: "\(folder)/spool", environment: [:], workingDirectory: "/")
        let launcher = DaemonLauncher(place: place, program: program, patience: .seconds(3))
        let error = #expect(throws: SpoolerClientError.self) { try launcher.start() }
        #expect(error?.message.contains("printd did not listen on") == true, "\(error?.message ?? "")")
    }
}
