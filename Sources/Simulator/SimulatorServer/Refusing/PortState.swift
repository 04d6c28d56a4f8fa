// Tracks whether the TCP port of the printers is open. The port is closed while a printer refuses connections.

import PrinterSimulator

/// The required state and the actual state of the TCP port that the printers share.
actor PortState {
    private var refusing: Set<String> = []
    private var numbers: [String: Int] = [:]
    private var isOpen = true
    private var hasServer = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Records that a server will open and close the port.
    ///
    /// Afterwards, `untilCurrent` waits for the server.
    func expectServer() { hasServer = true }

    /// Calls `setOpen` whenever the required state changes, until the task is canceled.
    ///
    /// The function `setOpen` opens the port (`true`) or closes the port (`false`), and then returns.
    func follow(_ setOpen: @Sendable (Bool) async -> Void) async {
        for await _ in changes.stream {
            while refusing.isEmpty != isOpen {
                let isRequired = refusing.isEmpty
                await setOpen(isRequired)
                isOpen = isRequired
            }
            release()
        }
        hasServer = false
        release()
    }

    /// A record that is older than the last record has no effect.
    func note(_ refusal: Refusal, of printer: String) {
        guard refusal.number > numbers[printer, default: 0] else { return }
        numbers[printer] = refusal.number
        if refusal.isRefusing { refusing.insert(printer) } else { refusing.remove(printer) }
        changes.continuation.yield()
    }

    /// Waits until the port has the required state.
    func untilCurrent() async {
        guard hasServer, refusing.isEmpty != isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func release() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
