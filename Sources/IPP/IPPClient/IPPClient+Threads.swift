// How many threads a program gives to its sockets.

import NIOCore

extension IPPClient {
    /// Makes one thread do for all sockets of this process, as suits a program that asks once and ends.
    ///
    /// To be called before the first client sends anything; later it has no effect.
    public static func useOneThread() {
        NIOSingletons.groupLoopCountSuggestion = 1
    }
}
