// Starts the process of the workers' user as systemd does for printq-worker.socket.

import Synchronization

/// A socket, and a service manager that starts `print-launcher --host` as another user for each connection.
///
/// Only root can create this object. A user ID without an account is sufficient.
public final class WorkerService: Sendable {
    /// The path of the socket.
    public let socket: String
    /// The user and group of the processes.
    public let user: UInt32
    private let program: Mutex<ChildProgram>

    /// Opens the socket.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the socket, which the user of the processes can search.
    ///   - launcher: The path of `print-launcher`, which the user can execute.
    public init(in folder: String, launcher: String, user: UInt32 = 3_000_000_002) throws {
        (socket, self.user) = ("\(folder)/worker.sock", user)
        let program = try ChildProgram("python3", ["-u", "-c", Self.script, socket, launcher, "\(user)"])
        guard program.readLine() == "ready" else {
            throw ChildProgram.Failure(description: "the socket '\(socket)' cannot be opened")
        }
        self.program = Mutex(program)
    }

    /// Waits for the next connection, and returns the ID of its process.
    public func nextHost() -> Int32? { program.withLock { $0.readLine() }.flatMap { Int32($0) } }

    private static let script = """
        import os, signal, socket, sys
        path, launcher, user = sys.argv[1:]
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen(16)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print("ready")
        while True:
            connection, _ = listener.accept()
            pid = os.fork()
            if pid == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.dup2(connection.fileno(), 0)
                null = os.open("/dev/null", os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                os.setgroups([])
                os.setresgid(int(user), int(user), int(user))
                os.setresuid(int(user), int(user), int(user))
                os.execv(launcher, [launcher, "--host"])
            connection.close()
            print(pid)
        """
}
