import Dispatch
import FoundationEssentials
import Glibc
import PrintTestSupport
import PrintTesting
import Testing

/// Tests of the end of a test printer.
struct TestPrinterLifetimeTests {
    @Test func `a test printer ends when the last reference to the printer is released`() async throws {
        var printer: TestPrinter? = try await TestPrinter.start("label")
        let lock = try #require(printer?.outputFolder) + "/lock"
        // The printer holds a lock while it runs, so taking the lock waits until the printer has exited.
        let descriptor = open(lock, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        printer = nil
        let taken = await withCheckedContinuation { continuation in
            DispatchQueue(label: "lock").async { continuation.resume(returning: flock(descriptor, LOCK_EX)) }
        }
        #expect(taken == 0)
    }

    @Test func `if the parent process is killed, the printer ends, and the printer's folder is deleted`() throws {
        let folder = try TemporaryFolder()
        let programs = try PrintingPrograms.found()
        // The shell simulates a test process, and holds the write end of printsim's standard input.
        let script = """
            cd '\(folder.path)' && mkfifo input && echo $$
            TMPDIR='\(folder.path)' '\(programs.printsim)' label --until-eof --temporary --no-dns-sd \
            --simulators '\(programs.simulators ?? "")' < input &
            exec 9> input
            read line
            """
        let shell = try ChildProgram("sh", ["-c", script])
        let pid = try #require(shell.readLine().flatMap { pid_t($0) })
        let ready = try #require(shell.readLine())
        #expect(ready.contains("\"ready\":true"), "\(ready)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasPrefix("printsim-") })
        kill(pid, SIGKILL)
        #expect(shell.readLine() == nil, "no process has the shell's standard output open")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["input"])
    }
}
