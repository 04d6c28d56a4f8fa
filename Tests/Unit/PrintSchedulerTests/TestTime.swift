import PrintModel
import Synchronization

/// A time that moves only when a test moves it.
final class TestTime: Sendable {
    private let value = Mutex<UnixTime>(1_000_000)

    var now: UnixTime {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
