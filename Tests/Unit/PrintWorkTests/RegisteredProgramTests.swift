import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintWork
@testable import ProcessPools

/// Tests of programs that administrators register, with scripts that do what a compromised program would try.
struct RegisteredProgramTests {
    private let place = ConverterPlace()

    /// Runs a script that writes its findings into the PDF, and returns the PDF's text after the header.
    private func findings(_ lines: String) async throws -> String {
        let script = """
            findings = []
            def attempt(action):
                try: findings.append(str(action()))
                except OSError as error: findings.append(error.strerror)
            \(lines)
            with open(target, 'w') as file: file.write('%PDF-' + '|'.join(findings))
            """
        _ = try await place.programs().convert(place.python(script))
        return String(String(decoding: place.output, as: UTF8.self).dropFirst(5))
    }

    // MARK: - The task of a program

    @Test func `a registered program converts a document to a PDF that only the owner can read`() async throws {
        _ = try await place.programs().convert(place.python("pdf()"))
        #expect(place.output == Array("%PDF-1.4 hello".utf8))
        #expect(place.leftovers == ["converted.pdf"])
        var status = stat()
        #expect(stat("\(place.outputs)/converted.pdf", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: ["#!/usr/bin/env python3", "#! /usr/bin/python3"])
    func `a script is executed with the interpreter in its first line`(line: String) async throws {
        _ = try await place.programs().convert(place.python("pdf()", firstLine: line))
        #expect(place.output == Array("%PDF-1.4 hello".utf8))
    }

    @Test func `a registered program receives a clean environment and a file with the extension of the document type`()
        async throws
    {
        let found = try await findings(
            """
            findings += [os.path.basename(source), str(sorted(os.environ))]
            findings += [str(os.path.samefile(os.environ[name], '.')) for name in ('HOME', 'TMPDIR')]
            findings += [str(sorted(os.listdir('.'))), repr(sys.stdin.read())]
            """)
        let expected = [
            "document.tst", "['HOME', 'LANG', 'MALLOC_ARENA_MAX', 'PATH', 'TMPDIR']", "True", "True",
            "['document.tst']", "''",
        ]
        #expect(found == expected.joined(separator: "|"))
    }

    @Test func `no shell interprets the arguments of a registered program`() async throws {
        let request = try place.python("pdf()")
        guard case .program(var program) = request.type.converter else { return }
        program.arguments = program.arguments.map { $0 } + ["$(id)", "; touch x", "--paper={input}"]
        let script = try #require(program.arguments.first)
        try """
        #!/usr/bin/python3 -I
        import sys
        with open(sys.argv[2], 'w') as file: file.write('%PDF-' + '|'.join(sys.argv[3:5]) + sys.argv[5][-12:])
        """.write(toFile: script, atomically: false, encoding: .utf8)
        var changed = request
        changed.type.converter = .program(program)
        _ = try await place.programs().convert(changed)
        #expect(place.output == Array("%PDF-$(id)|; touch xdocument.tst".utf8))
    }

    // MARK: - Failures

    @Test func `if a registered program hangs, it is ended at the time limit, and the error contains its last output`()
        async throws
    {
        let error = await place.expectFailure(
            .timeExceeded, try place.python("print('waiting for a license', flush=True)\ntime.sleep(1000)"),
            limits: WorkerLimits(wallSeconds: 10))
        #expect(error?.message.hasPrefix("test-converter took more than 10 s") == true, "\(error?.message ?? "")")
        #expect(error?.detail?.contains("waiting for a license") == true)
    }

    @Test func `a registered program is stopped at the size limit for one file if it writes endless output`()
        async throws
    {
        let error = await place.expectFailure(
            .outputTooLarge, try place.python("file = open(target, 'wb')\nwhile True: file.write(b'x' * 65536)"),
            limits: WorkerLimits(outputBytes: 1 << 20))
        #expect(error?.message.contains("wrote more than 1 MiB") == true)
    }

    @Test func `a registered program is ended if its files, even deleted open files, exceed the output limit`()
        async throws
    {
        let many = """
            for number in range(100000):
                with open(f'{number}', 'wb') as file: file.write(b'x' * 65536)
                time.sleep(0.001)
            """
        let deleted = """
            files = []
            for number in range(100):
                files.append(open('x', 'wb'))
                os.unlink('x')
                files[-1].write(b'x' * 500000)
                files[-1].flush()
            time.sleep(1000)
            """
        for script in [many, deleted] {
            await place.expectFailure(
                .outputTooLarge, try place.python(script), limits: WorkerLimits(wallSeconds: 60, outputBytes: 4 << 20))
        }
    }

    @Test func `a registered program's files are counted and removed even if the file names are not UTF-8`()
        async throws
    {
        let script = """
            os.mkdir(b'folder-\\xff')
            for number in range(3):
                with open(b'folder-\\xff/file-\\xfe-%d' % number, 'wb') as file: file.write(b'x' * 2000000)
            """
        await place.expectFailure(
            .outputTooLarge, try place.python(script + "\ntime.sleep(1000)"),
            limits: WorkerLimits(wallSeconds: 60, outputBytes: 4 << 20))
        _ = try await place.programs().convert(place.python(script + "\npdf()"))
        #expect(place.leftovers == ["converted.pdf"])
    }

    @Test func `if a registered program creates deeply nested or unreadable folders, the folders are removed`()
        async throws
    {
        let request = try place.python(
            """
            pdf()
            where = os.open('.', os.O_RDONLY)
            for number in range(100):
                os.mkdir('a' * 100, 0o700, dir_fd=where)
                next = os.open('a' * 100, os.O_RDONLY, dir_fd=where)
                os.close(where)
                where = next
                os.close(os.open('file', os.O_WRONLY | os.O_CREAT, dir_fd=where))
            os.mkdir('closed', 0o300)
            open('closed/file', 'w').close()
            """)
        do {
            _ = try await place.programs().convert(request)
        } catch {
            // Folders that cannot be measured end the conversion if the program still runs at that moment.
            #expect(error.code == .outputTooLarge)
        }
        #expect(place.leftovers.filter { $0.hasSuffix(".partial") } == [])
    }

    @Test func `the error for a crashed registered program names the signal`() async throws {
        let error = await place.expectFailure(
            .workerCrashed, try place.python("import ctypes\nprint('before', flush=True)\nctypes.string_at(0)"))
        #expect(error?.message.hasPrefix("test-converter crashed (Segmentation fault)") == true)
        #expect(error?.detail?.contains("before") == true)
    }

    @Test func `the error for a failed registered program contains the exit status and the last output line`()
        async throws
    {
        let error = await place.expectFailure(
            .damaged, try place.python("sys.exit('line 3: \\x1b[31m unknown\\tcommand')"))
        #expect(
            error?.message.hasPrefix("test-converter failed with exit status 1: line 3:  [31m unknown command") == true,
            "\(error?.message ?? "")")
    }

    @Test func `a registered program is stopped if it exceeds the memory limit`() async throws {
        await place.expectFailure(
            .memoryExceeded, try place.python("x = bytearray(1 << 40)"), limits: WorkerLimits(memoryBytes: 512 << 20))
    }

    @Test func `if a registered program closes its output early, it is not stopped and can complete the conversion`()
        async throws
    {
        // The program waits until the test has seen that its output is closed and that the conversion continues.
        let request = try place.python(
            """
            os.close(1)
            os.close(2)
            open('closed', 'w').close()
            while not os.path.exists('continue'): time.sleep(0.01)
            pdf()
            """)
        let programs = place.programs()
        let conversion = Task { try await programs.convert(request) }
        var folder = ""
        try await eventually("the program has closed its output") {
            folder = place.leftovers.first { access("\(place.outputs)/\($0)/closed", F_OK) == 0 } ?? ""
            return !folder.isEmpty
        }
        #expect(FileManager.default.createFile(atPath: "\(place.outputs)/\(folder)/continue", contents: nil))
        _ = try await conversion.value
        #expect(place.output == Array("%PDF-1.4 hello".utf8))
    }

    @Test func `the error for a missing registered program contains the path of the program`() async throws {
        let program = ConverterProgram(name: "dvipdfm", arguments: ["/nowhere/dvipdfm", "{input}", "{output}"])
        let request = place.request(try place.document([1]), .program(program))
        #expect(place.programs().unavailability(for: request.type.converter)?.code == .unsupportedFormat)
        let error = await place.expectFailure(.unsupportedFormat, request)
        #expect(error?.message.contains("'/nowhere/dvipdfm'") == true)
    }

    @Test func `if the interpreter of a script is missing, the error contains the interpreter's path`() async throws {
        let error = await place.expectFailure(
            .unsupportedFormat, try place.python("pdf()", firstLine: "#!/nowhere/python"))
        #expect(error?.message.contains("'/nowhere/python'") == true, "\(error?.message ?? "")")
    }

    @Test func `if a conversion is canceled, the registered program ends, and its files are removed`() async throws {
        let request = try place.python("open('started', 'w').close()\ntime.sleep(1000)")
        let programs = place.programs()
        let conversion = Task { try await programs.convert(request) }
        try await eventually("the program has started") {
            place.leftovers.contains { access("\(place.outputs)/\($0)/started", F_OK) == 0 }
        }
        conversion.cancel()
        let error = await #expect(throws: WorkError.self) { try await conversion.value }
        #expect(error?.code == .canceled)
        #expect(place.leftovers == [])
    }

    @Test func `the folder of an interrupted conversion is removed before the next conversion`() async throws {
        mkdir("\(place.outputs)/converted.pdf.x.partial", 0o700)
        mkdir("\(place.outputs)/converted.pdf.x.partial/inner", 0o700)
        _ = try await place.programs().convert(place.python("pdf()"))
        #expect(place.leftovers == ["converted.pdf"])
    }

    // MARK: - Outputs

    @Test(arguments: ["pass", "open(target, 'w').close()", "open(target, 'w').write('PK')", "os.mkdir(target)"])
    func `a conversion fails if the registered program writes no PDF`(script: String) async throws {
        let error = await place.expectFailure(.workerCrashed, try place.python(script))
        #expect(error?.message.contains("created no PDF") == true)
    }

    @Test func `a registered program cannot create links or named pipes`() async throws {
        let found = try await findings(
            """
            attempt(lambda: os.symlink('/etc/hostname', 'x'))
            attempt(lambda: os.link(source, 'y'))
            attempt(lambda: os.mkfifo('z'))
            """)
        #expect(found == "Operation not permitted|Operation not permitted|Operation not permitted")
    }

    @Test func `the output of a registered program is refused if it is a link, a pipe, a folder or too large`() throws {
        let secret = "\(place.folder)/x.pdf"
        try "%PDF-secret".write(toFile: secret, atomically: false, encoding: .utf8)
        let output = "\(place.outputs)/converted.pdf"
        for make in [
            { symlink(secret, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { link(secret, $0) },
        ] as [(String) -> CInt] {
            let scratch = try ConversionFolder(besides: output)
            #expect(make(scratch.output) == 0)
            #expect(try !scratch.moveOutput(to: output, limit: 100))
            scratch.remove()
            #expect(place.leftovers == [])
        }
        let scratch = try ConversionFolder(besides: output)
        try "%PDF-large".write(toFile: scratch.output, atomically: false, encoding: .utf8)
        #expect(try !scratch.moveOutput(to: output, limit: 9))
        #expect(try scratch.moveOutput(to: output, limit: 10))
        scratch.remove()
        #expect(place.leftovers == ["converted.pdf"])
    }

    // MARK: - The sandbox

    @Test func `a registered program cannot start processes`() async throws {
        let found = try await findings(
            """
            attempt(os.fork)
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            findings.append(str(libc.vfork()))
            import subprocess
            attempt(lambda: subprocess.run(['/bin/true']))
            attempt(lambda: os.posix_spawn('/bin/true', ['true'], {}))
            """)
        #expect(found == "Operation not permitted|-1|Operation not permitted|Operation not permitted", "\(found)")
    }

    @Test func `a registered program cannot cancel the timer that ends the program if the spooler is killed`()
        async throws
    {
        let found = try await findings(
            """
            import ctypes, errno, signal
            attempt(lambda: signal.setitimer(signal.ITIMER_REAL, 0))
            libc = ctypes.CDLL(None, use_errno=True)
            libc.alarm(0)
            findings.append(str(ctypes.get_errno() == errno.EPERM))
            findings.append(str(signal.getitimer(signal.ITIMER_REAL)[0] > 1))
            """)
        #expect(found == "Operation not permitted|True|True", "\(found)")
    }

    @Test func `a registered program can start threads`() async throws {
        let found = try await findings(
            """
            import threading
            thread = threading.Thread(target=lambda: findings.append('thread'))
            thread.start()
            thread.join()
            """)
        #expect(found == "thread")
    }

    @Test func `a registered program can start only a limited number of threads`() async throws {
        let found = try await findings(
            """
            import threading
            threading.stack_size(32768)
            end = threading.Event()
            threads = []
            try:
                for number in range(5000):
                    threads.append(threading.Thread(target=end.wait))
                    threads[-1].start()
            except RuntimeError: threads.pop()
            findings.append(str(len(threads)))
            end.set()
            for thread in threads: thread.join()
            """)
        let count = try #require(Int(found))
        #expect((1...300).contains(count), "\(found)")
    }

    @Test func `a registered program cannot execute any program, not even through the dynamic loader`()
        async throws
    {
        let found = try await findings(
            """
            loaders = [line.split()[-1] for line in open('/proc/self/maps') if 'ld-linux' in line]
            attempt(lambda: os.execv('/bin/true', ['true']))
            attempt(lambda: os.execv('/usr/bin/python3', ['python3', '-c', 'pass']))
            attempt(lambda: os.execv(loaders[0], [loaders[0], '/bin/true']))
            attempt(lambda: os.execve(os.open('/bin/true', os.O_RDONLY), ['true'], {}))
            """)
        #expect(found == [String](repeating: "Operation not permitted", count: 4).joined(separator: "|"))
    }

    @Test func `a registered program cannot create sockets`() async throws {
        let found = try await findings(
            """
            for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
                attempt(lambda: socket.socket(family, socket.SOCK_DGRAM))
            attempt(socket.socketpair)
            """)
        #expect(found == [String](repeating: "Operation not permitted", count: 5).joined(separator: "|"))
    }

    @Test
    func `a registered program cannot access files outside of its folder, modify its input file or change file modes`()
        async throws
    {
        let secret = try place.secret()
        let found = try await findings(
            """
            attempt(lambda: open('\(secret)').read())
            attempt(lambda: open('../../secret.txt').read())
            attempt(lambda: open('/etc/passwd').read())
            attempt(lambda: os.listdir('..'))
            attempt(lambda: open('../x', 'w'))
            attempt(lambda: open('\(secret)', 'w'))
            attempt(lambda: open(source, 'r+'))
            attempt(lambda: os.rename(target if os.path.exists(target) else source, '../x'))
            attempt(lambda: os.chmod('.', 0o777))
            """)
        let refused = found.split(separator: "|")
        #expect(refused.count == 9, "\(found)")
        #expect(
            refused.allSatisfy {
                $0 == "Permission denied" || $0 == "Operation not permitted" || $0.contains("cross-device")
            }, "\(found)")
        #expect(!found.contains("canary"))
        #expect(FileManager.default.contents(atPath: secret) == Data("canary".utf8))
    }

    @Test func `a registered program has no inherited file descriptors and no privileges`() async throws {
        let found = try await findings(
            """
            names = []
            for number in sorted(int(name) for name in os.listdir('/proc/self/fd')):
                try: names.append(f'{number} {os.readlink(f"/proc/self/fd/{number}")}')
                except OSError: pass
            findings.append('; '.join(names))
            status = dict(line.split(':', 1) for line in open('/proc/self/status'))
            findings += [status[name].strip() for name in ('CapEff', 'NoNewPrivs', 'Seccomp')]
            findings += [ str(os.getuid() != 0)]
            """)
        let parts = found.split(separator: "|").map(String.init)
        #expect(parts.dropFirst() == ["0000000000000000", "1", "2", "True"], "\(found)")
        // Root's launcher keeps the document and the scratch folder, which it opened with O_PATH.
        let others = try #require(parts.first).split(separator: "; ").filter { name in
            !["0 /dev/null", "1 pipe", "2 pipe"].contains { name.hasPrefix($0) }
                && !name.hasSuffix("/letter.tst") && !name.hasSuffix(".partial")
        }
        #expect(others == [], "\(found)")
    }

    @Test func `without Landlock, conversion by a registered program is refused if the settings require Landlock`()
        async throws
    {
        let launcher = "\(place.folder)/launcher"
        try "#!/bin/sh\nexec '\(BuiltPrograms.folder)without-landlock' '\(BuiltPrograms.folder)print-launcher' \"$@\"\n"
            .write(toFile: launcher, atomically: false, encoding: .utf8)
        chmod(launcher, 0o755)
        let request = try place.python("pdf()")
        let refusing = ConverterPrograms(executable: launcher, requiresLandlock: true)
        let error = await #expect(throws: WorkError.self) { try await refusing.convert(request) }
        #expect(error?.code == .sandboxIncomplete)
        #expect(place.leftovers == [])
        _ = try await ConverterPrograms(executable: launcher, requiresLandlock: false).convert(request)
        #expect(place.leftovers == ["converted.pdf"])
    }

    @Test func `a probe of the program sandbox reports the active protections`() async throws {
        let protections = try await place.programs().probe()
        #expect(protections.systemCalls)
    }
}
