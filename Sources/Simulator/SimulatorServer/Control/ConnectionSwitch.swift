// The port that the printers share: open, or closed while one of them refuses connections.

import PrinterSimulator

/// Whether connections are accepted, as it should be and as it is.
actor ConnectionSwitch {
    /// The printers that refuse.
    private var refusing: Set<String> = []
    private var numbers: [String: Int] = [:]
    private var isOpen = true
    /// Whether somebody opens and closes it, or will.
    private var isKept = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Has those wait from now on to whom it matters.
    func expectKeeper() { isKept = true }

    /// Opens and closes it as the printers want until the task is cancelled; `setOpen` returns when that is done.
    func keep(_ setOpen: @Sendable (Bool) async -> Void) async {
        for await _ in changes.stream {
            while refusing.isEmpty != isOpen {
                let isWanted = refusing.isEmpty
                await setOpen(isWanted)
                isOpen = isWanted
            }
            release()
        }
        isKept = false
        release()
    }

    /// Notes whether a printer refuses; what is older than what is known changes nothing.
    func note(_ refusal: Refusal, of printer: String) {
        guard refusal.number > numbers[printer, default: 0] else { return }
        numbers[printer] = refusal.number
        if refusal.isRefusing { refusing.insert(printer) } else { refusing.remove(printer) }
        changes.continuation.yield()
    }

    /// Waits until it is open or closed as the printers want it.
    func untilRight() async {
        guard isKept, refusing.isEmpty != isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func release() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
