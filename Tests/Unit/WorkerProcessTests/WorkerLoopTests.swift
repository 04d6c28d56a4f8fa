import FoundationEssentials
import Glibc
import PrintModel
import Testing

/// Tests of the worker's side of the protocol with raw bytes.
struct WorkerLoopTests {
    private static let worker: String = {
        let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex) + "test-worker"
    }()

    /// Runs a shell command with the worker as `$WORKER`.
    ///
    /// Returns the output of the command. The last line is the exit status.
    ///
    /// A worker started by root changes to another user, unless `asRoot` is set.
    private func shell(_ line: String, asRoot: Bool = false) -> [String] {
        let user = geteuid() == 0 && !asRoot ? " --become=65534:65534" : ""
        guard let pipe = popen("WORKER='\(Self.worker)\(user)'; \(line); echo $?", "r") else { return [] }
        defer { pclose(pipe) }
        var text = [UInt8]()
        while case let byte = fgetc(pipe), byte != EOF { text.append(UInt8(byte)) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a worker exits without output if standard input closes before a request`() {
        #expect(shell("$WORKER < /dev/null") == ["0"])
    }

    @Test func `a worker's response to a probe request contains the protections of the sandbox`() throws {
        let lines = shell(#"echo '{"files":{"documents":[]},"task":{"probe":{}}}' | $WORKER"#)
        #expect(lines.count == 2)
        #expect(lines.last == "0")
        let line = try JSONDecoder().decode(WorkerLine.self, from: Data(lines[0].utf8))
        guard case .locked(let protections) = line else {
            Issue.record("not locked: \(line)")
            return
        }
        #expect(protections.systemCalls)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root starts workers as another user"),
        arguments: ["", "--become=0:0", "--become=65534:0", "--become=0:65534", "--become=nobody"])
    func `if a worker runs as root and cannot change to a different user, the worker refuses requests`(user: String)
        throws
    {
        let lines = shell(#"echo '{"files":{"documents":[]},"task":{"probe":{}}}' | $WORKER \#(user)"#, asRoot: true)
        #expect(lines.last == "1")
        let line = try JSONDecoder().decode(WorkerLine.self, from: Data((lines.first ?? "").utf8))
        guard case .failed(let error) = line else {
            Issue.record("not failed: \(line)")
            return
        }
        #expect(error.code == .workerUnavailable && error.message.contains("a worker must not run as root"))
    }

    @Test(arguments: ["{}", "nonsense", #"{"task":{"fly":{}}}"#, #"{"task":{"inspect":{}}}"#])
    func `a worker refuses an invalid request`(request: String) throws {
        let lines = shell("echo '\(request)' | $WORKER")
        #expect(lines.last == "1")
        let line = try JSONDecoder().decode(WorkerLine.self, from: Data((lines.first ?? "").utf8))
        guard case .failed(let error) = line else {
            Issue.record("not failed: \(line)")
            return
        }
        #expect(error.code == .workerUnavailable)
    }

    @Test func `a worker exits if its parent process ends while the worker processes a document`() {
        let path = "/tmp/workerloop-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        defer { unlink(path) }
        #expect((try? "sleep".write(toFile: path, atomically: false, encoding: .utf8)) != nil)
        let lines = shell(#"echo '{"files":{"documents":[{"path":"\#(path)"}]},"task":{"inspect":{}}}' | $WORKER"#)
        #expect(lines.last == "1")
        #expect(lines.first?.hasPrefix(#"{"locked""#) == true)
        #expect(lines.count == 2)
    }
}
