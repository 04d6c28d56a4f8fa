// Reports the state of this process to the service manager (sd_notify(3)).

import Glibc

/// The connection with which this process reports its state to the service manager.
///
///     let notifier = ServiceNotifier.receive()
///     notifier.send(.ready, .status("3 jobs are waiting"))
///
/// Without a service manager, messages are discarded.
public struct ServiceNotifier: Sendable {
    /// A line of a message to the service manager.
    public enum Line: Hashable, Sendable {
        /// The line that reports that the service has started or has reloaded its configuration.
        case ready
        /// The line that reports the start of a configuration reload, with the monotonic time of the start in
        /// microseconds.
        case reloading(microseconds: UInt64)
        /// The line that reports that the service is shutting down.
        case stopping
        /// A description of the service's state for people, on one line.
        case status(String)
        /// The watchdog line.
        ///
        /// The service manager restarts a service that does not send this line in time.
        case watchdog

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            case .status(let text): "STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    private let address: String?
    /// The time within which the service manager expects each watchdog message; nil if the service manager expects no
    /// watchdog messages.
    public let watchdog: Duration?

    /// Creates a notifier for an address: the path of a Unix socket, or an abstract address that begins with `@`.
    ///
    /// - Parameters:
    ///   - address: The address; nil discards all messages.
    ///   - watchdog: The time within which each watchdog message is expected; nil if no watchdog messages are expected.
    public init(address: String?, watchdog: Duration? = nil) {
        self.address = address
        self.watchdog = address == nil ? nil : watchdog
    }

    /// Returns the notifier that the environment variables describe, and removes these variables, so that child
    /// processes send no messages.
    ///
    /// Call this function once, at the start, before other threads use the environment.
    public static func receive() -> ServiceNotifier {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let notifier = ServiceNotifier(
            socket: variable("NOTIFY_SOCKET"), microseconds: variable("WATCHDOG_USEC"), pid: variable("WATCHDOG_PID"),
            process: getpid())
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
        return notifier
    }

    /// Parses the values of `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///
    /// A watchdog of another process is ignored.
    init(socket: String?, microseconds: String?, pid: String?, process: pid_t) {
        let isOurs = pid.map { pid_t($0) == process } ?? true
        let limit = microseconds.flatMap { Int64($0) }.flatMap { $0 > 0 ? Duration.microseconds($0) : nil }
        self.init(address: socket.flatMap { $0.isEmpty ? nil : $0 }, watchdog: isOurs ? limit : nil)
    }

    /// Whether a service manager receives the messages.
    public var isConnected: Bool { address != nil }

    /// Sends a message with the given lines.
    ///
    /// Waits up to 2 seconds while the queue of the service manager is full. After 2 seconds, or without a service
    /// manager, the message is lost.
    ///
    /// - Returns: Whether the message was sent.
    @discardableResult
    public func send(_ lines: Line...) -> Bool {
        guard let address, let socket = DatagramSocket(to: address) else { return false }
        let text = lines.map(\.text).joined(separator: "\n")
        // READY, STOPPING and RELOADING must arrive. A timeout bounds the wait.
        socket.setTimeout(seconds: 2)
        return socket.send(Array(text.utf8)) == 0
    }

    /// Tells the service manager that the service is reloading its configuration.
    ///
    /// After the reload, send ``Line/ready``, even if the reload has failed.
    public func sendReloading() { send(.reloading(microseconds: Self.monotonicMicroseconds)) }

    /// The time of `CLOCK_MONOTONIC` in microseconds.
    static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
