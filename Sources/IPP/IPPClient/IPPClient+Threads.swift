// The number of threads for sockets.

import NIOCore

extension IPPClient {
    /// Configures a single thread for all sockets of this process.
    ///
    /// A single thread is sufficient for a program that sends few requests and exits.
    ///
    /// Call this method before the first client sends a request. Later calls have no effect.
    public static func useOneThread() {
        NIOSingletons.groupLoopCountSuggestion = 1
    }
}
