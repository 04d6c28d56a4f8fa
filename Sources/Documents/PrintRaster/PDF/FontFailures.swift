// Detects poppler's messages about unusable fonts.

import CPoppler
import Glibc

/// A counter of poppler's messages about fonts whose text is missing from a page.
///
/// If poppler cannot use a font, poppler draws the page without the text and reports no error. The messages of each
/// thread are counted separately.
enum FontFailures {
    /// The key of the thread-specific pointer to the thread's current counter.
    ///
    /// The pointer is nil while the thread counts no messages.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        g_log_set_handler("Poppler", G_LOG_LEVEL_INFO, { _, _, message, _ in FontFailures.hear(message) }, nil)
        return key
    }()

    /// The phrases in poppler's messages that report missing text.
    private static let phrases = [
        "Couldn't find a font for", "could not create type1 face", "failed to load truetype font",
        "could not create truetype face", "could not create cid face", "could not create cid (OT) face",
    ]

    /// Runs `body`, and returns its result and the number of messages about missing text that poppler wrote during the
    /// call.
    static func count<T>(during body: () throws(RasterError) -> T) throws(RasterError) -> (result: T, failures: Int) {
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        pthread_setspecific(key, counter)
        defer {
            pthread_setspecific(key, nil)
            counter.deallocate()
        }
        let result = try body()
        return (result, counter.pointee)
    }

    private static func hear(_ message: UnsafePointer<CChar>?) {
        guard let message, let counter = pthread_getspecific(key)?.assumingMemoryBound(to: Int.self) else { return }
        if phrases.contains(where: { strstr(message, $0) != nil }) { counter.pointee += 1 }
    }
}
