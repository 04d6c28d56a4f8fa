import PrintModel
import Synchronization

/// A time that only a test advances.
final class TestTime: Sendable {
    private let value = Mutex<UnixTime>(1_000_000)

    var now: UnixTime {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
