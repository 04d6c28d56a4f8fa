// The document types that administrators register, which can be read again.

import DocumentFiles
import Logging
import PrintModel
import Synchronization

/// The registered document types of the running `printd` process.
final class LiveTypes: Sendable {
    private let folders: [String]
    private let logger: Logger
    private let current: Mutex<RegisteredTypes>

    /// Reads the types in the folder `types` of the spool, and in the folder `types` beside the configuration file.
    init(spool: String, configuration: String, logger: Logger) {
        var folders = ["\(spool)/types"]
        if let slash = configuration.lastIndex(of: "/") { folders.append(configuration[..<slash] + "/types") }
        if folders.first == folders.last { folders.removeLast() }
        self.folders = folders
        self.logger = logger
        current = Mutex(RegisteredTypes(folders: folders))
        log()
    }

    /// The document types and the errors from the most recent read of the type files.
    var registered: RegisteredTypes { current.withLock { $0 } }

    /// Reads the type files again, and returns the registered types.
    func reload() -> DocumentTypes {
        current.withLock { $0 = RegisteredTypes(folders: folders) }
        log()
        return .builtIn.adding(registered.types)
    }

    private func log() {
        for error in registered.errors { logger.error("\(error)") }
    }
}
