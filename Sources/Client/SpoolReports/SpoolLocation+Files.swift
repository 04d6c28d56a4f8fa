// Describes a spool for `printq status` and `printq doctor`.

import SpoolerClient

extension SpoolLocation {
    /// The paths of the configuration files of the spool's printd.
    ///
    /// Some of the files might not exist.
    var settingsFiles: [String] { isSystem ? [configuration, "\(path)/printd.json5"] : [configuration] }

    /// The part of a message that explains how to start the spool's printd.
    var startAdvice: String {
        isSystem
            ? "'systemctl start printd.socket printd' starts printd"
            : "the next command that requires printd, such as 'printq queue', starts printd"
    }
}
