// The operations of IPP requests.

/// The operation of a request.
///
/// The number is the `operation-id` in the third and fourth bytes of the request (RFC 8010 §3.1.2).
///
/// A number is preserved even if this type defines no name for the number. A server rejects an unknown operation with
/// ``Status/serverErrorOperationNotSupported``.
public struct Operation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The registered number of the operation.
    public var rawValue: UInt16

    /// Creates an operation with any number, registered or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The registered name, such as `Print-Job`, or `0x…` for a number without a name.
    public var description: String {
        Self.names[rawValue] ?? "0x" + String(rawValue, radix: 16)
    }
}

// The registered operations, in the order of their numbers.
extension Operation {
    // RFC 8011
    package static let printJob = Operation(rawValue: 0x0002)
    package static let printURI = Operation(rawValue: 0x0003)
    package static let validateJob = Operation(rawValue: 0x0004)
    package static let createJob = Operation(rawValue: 0x0005)
    package static let sendDocument = Operation(rawValue: 0x0006)
    package static let sendURI = Operation(rawValue: 0x0007)
    package static let cancelJob = Operation(rawValue: 0x0008)
    package static let getJobAttributes = Operation(rawValue: 0x0009)
    package static let getJobs = Operation(rawValue: 0x000A)
    package static let getPrinterAttributes = Operation(rawValue: 0x000B)
    package static let holdJob = Operation(rawValue: 0x000C)
    package static let releaseJob = Operation(rawValue: 0x000D)
    package static let restartJob = Operation(rawValue: 0x000E)
    package static let pausePrinter = Operation(rawValue: 0x0010)
    package static let resumePrinter = Operation(rawValue: 0x0011)
    package static let purgeJobs = Operation(rawValue: 0x0012)

    // RFC 3380
    package static let setPrinterAttributes = Operation(rawValue: 0x0013)
    package static let setJobAttributes = Operation(rawValue: 0x0014)
    package static let getPrinterSupportedValues = Operation(rawValue: 0x0015)

    // RFC 3995
    package static let createPrinterSubscriptions = Operation(rawValue: 0x0016)
    package static let createJobSubscriptions = Operation(rawValue: 0x0017)
    package static let getSubscriptionAttributes = Operation(rawValue: 0x0018)
    package static let getSubscriptions = Operation(rawValue: 0x0019)
    package static let renewSubscription = Operation(rawValue: 0x001A)
    package static let cancelSubscription = Operation(rawValue: 0x001B)

    // RFC 3996
    package static let getNotifications = Operation(rawValue: 0x001C)

    // RFC 3998
    package static let enablePrinter = Operation(rawValue: 0x0022)
    package static let disablePrinter = Operation(rawValue: 0x0023)
    package static let reprocessJob = Operation(rawValue: 0x002C)
    package static let resumeJob = Operation(rawValue: 0x002F)

    // PWG 5100.11
    package static let cancelJobs = Operation(rawValue: 0x0038)
    package static let cancelMyJobs = Operation(rawValue: 0x0039)
    package static let resubmitJob = Operation(rawValue: 0x003A)
    package static let closeJob = Operation(rawValue: 0x003B)

    // PWG 5100.13
    package static let identifyPrinter = Operation(rawValue: 0x003C)

    // PWG 5100.22
    package static let deletePrinter = Operation(rawValue: 0x004E)
    package static let getPrinters = Operation(rawValue: 0x004F)

    // CUPS
    package static let cupsGetDefault = Operation(rawValue: 0x4001)
    package static let cupsGetPrinters = Operation(rawValue: 0x4002)
    package static let cupsAddModifyPrinter = Operation(rawValue: 0x4003)
    package static let cupsDeletePrinter = Operation(rawValue: 0x4004)
    package static let cupsGetClasses = Operation(rawValue: 0x4005)
    package static let cupsAcceptJobs = Operation(rawValue: 0x4008)
    package static let cupsRejectJobs = Operation(rawValue: 0x4009)
    package static let cupsSetDefault = Operation(rawValue: 0x400A)
    package static let cupsGetDevices = Operation(rawValue: 0x400B)
    package static let cupsMoveJob = Operation(rawValue: 0x400D)
    package static let cupsGetPPD = Operation(rawValue: 0x400F)
}
