import Dispatch
import FoundationEssentials
import Glibc
import PrintTestSupport
import PrintTesting
import Testing

/// How a printer's life ends.
struct LifeTests {
    @Test func `the printer ends with the last reference to it`() async throws {
        var printer: TestPrinter? = try await TestPrinter.start("label")
        let lock = try #require(printer?.outputFolder) + "/lock"
        // The printer holds a lock as long as it lives; taking it waits for its end.
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

    @Test func `the printer and its folder go when the process that started it is killed`() throws {
        let folder = try TemporaryFolder()
        let programs = try PrintingPrograms.found()
        // The shell stands for a test: it holds the other end of printsim's standard input.
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
        #expect(shell.readLine() == nil, "nobody has its output open any more")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["input"])
    }
}
