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
    /// Print-Job (RFC 8011).
    public static let printJob = Operation(rawValue: 0x0002)
    /// Print-URI (RFC 8011).
    public static let printURI = Operation(rawValue: 0x0003)
    /// Validate-Job (RFC 8011).
    public static let validateJob = Operation(rawValue: 0x0004)
    /// Create-Job (RFC 8011).
    public static let createJob = Operation(rawValue: 0x0005)
    /// Send-Document (RFC 8011).
    public static let sendDocument = Operation(rawValue: 0x0006)
    /// Send-URI (RFC 8011).
    public static let sendURI = Operation(rawValue: 0x0007)
    /// Cancel-Job (RFC 8011).
    public static let cancelJob = Operation(rawValue: 0x0008)
    /// Get-Job-Attributes (RFC 8011).
    public static let getJobAttributes = Operation(rawValue: 0x0009)
    /// Get-Jobs (RFC 8011).
    public static let getJobs = Operation(rawValue: 0x000A)
    /// Get-Printer-Attributes (RFC 8011).
    public static let getPrinterAttributes = Operation(rawValue: 0x000B)
    /// Hold-Job (RFC 8011).
    public static let holdJob = Operation(rawValue: 0x000C)
    /// Release-Job (RFC 8011).
    public static let releaseJob = Operation(rawValue: 0x000D)
    /// Restart-Job (RFC 8011).
    public static let restartJob = Operation(rawValue: 0x000E)
    /// Pause-Printer (RFC 8011).
    public static let pausePrinter = Operation(rawValue: 0x0010)
    /// Resume-Printer (RFC 8011).
    public static let resumePrinter = Operation(rawValue: 0x0011)
    /// Purge-Jobs (RFC 8011).
    public static let purgeJobs = Operation(rawValue: 0x0012)
    /// Set-Printer-Attributes (RFC 3380).
    public static let setPrinterAttributes = Operation(rawValue: 0x0013)
    /// Set-Job-Attributes (RFC 3380).
    public static let setJobAttributes = Operation(rawValue: 0x0014)
    /// Get-Printer-Supported-Values (RFC 3380).
    public static let getPrinterSupportedValues = Operation(rawValue: 0x0015)
    /// Create-Printer-Subscriptions (RFC 3995).
    public static let createPrinterSubscriptions = Operation(rawValue: 0x0016)
    /// Create-Job-Subscriptions (RFC 3995).
    public static let createJobSubscriptions = Operation(rawValue: 0x0017)
    /// Get-Subscription-Attributes (RFC 3995).
    public static let getSubscriptionAttributes = Operation(rawValue: 0x0018)
    /// Get-Subscriptions (RFC 3995).
    public static let getSubscriptions = Operation(rawValue: 0x0019)
    /// Renew-Subscription (RFC 3995).
    public static let renewSubscription = Operation(rawValue: 0x001A)
    /// Cancel-Subscription (RFC 3995).
    public static let cancelSubscription = Operation(rawValue: 0x001B)
    /// Get-Notifications (RFC 3996).
    public static let getNotifications = Operation(rawValue: 0x001C)
    /// Get-Resource-Attributes (PWG 5100.22).
    public static let getResourceAttributes = Operation(rawValue: 0x001E)
    /// Get-Resources (PWG 5100.22).
    public static let getResources = Operation(rawValue: 0x0020)
    /// Enable-Printer (RFC 3998).
    public static let enablePrinter = Operation(rawValue: 0x0022)
    /// Disable-Printer (RFC 3998).
    public static let disablePrinter = Operation(rawValue: 0x0023)
    /// Pause-Printer-After-Current-Job (RFC 3998).
    public static let pausePrinterAfterCurrentJob = Operation(rawValue: 0x0024)
    /// Hold-New-Jobs (RFC 3998).
    public static let holdNewJobs = Operation(rawValue: 0x0025)
    /// Release-Held-New-Jobs (RFC 3998).
    public static let releaseHeldNewJobs = Operation(rawValue: 0x0026)
    /// Deactivate-Printer (RFC 3998).
    public static let deactivatePrinter = Operation(rawValue: 0x0027)
    /// Activate-Printer (RFC 3998).
    public static let activatePrinter = Operation(rawValue: 0x0028)
    /// Restart-Printer (RFC 3998).
    public static let restartPrinter = Operation(rawValue: 0x0029)
    /// Shutdown-Printer (RFC 3998).
    public static let shutdownPrinter = Operation(rawValue: 0x002A)
    /// Startup-Printer (RFC 3998).
    public static let startupPrinter = Operation(rawValue: 0x002B)
    /// Reprocess-Job (RFC 3998).
    public static let reprocessJob = Operation(rawValue: 0x002C)
    /// Cancel-Current-Job (RFC 3998).
    public static let cancelCurrentJob = Operation(rawValue: 0x002D)
    /// Suspend-Current-Job (RFC 3998).
    public static let suspendCurrentJob = Operation(rawValue: 0x002E)
    /// Resume-Job (RFC 3998).
    public static let resumeJob = Operation(rawValue: 0x002F)
    /// Promote-Job (RFC 3998).
    public static let promoteJob = Operation(rawValue: 0x0030)
    /// Schedule-Job-After (RFC 3998).
    public static let scheduleJobAfter = Operation(rawValue: 0x0031)
    /// Cancel-Document (PWG 5100.5).
    public static let cancelDocument = Operation(rawValue: 0x0033)
    /// Get-Document-Attributes (PWG 5100.5).
    public static let getDocumentAttributes = Operation(rawValue: 0x0034)
    /// Get-Documents (PWG 5100.5).
    public static let getDocuments = Operation(rawValue: 0x0035)
    /// Delete-Document (PWG 5100.5).
    public static let deleteDocument = Operation(rawValue: 0x0036)
    /// Set-Document-Attributes (PWG 5100.5).
    public static let setDocumentAttributes = Operation(rawValue: 0x0037)
    /// Cancel-Jobs (PWG 5100.11).
    public static let cancelJobs = Operation(rawValue: 0x0038)
    /// Cancel-My-Jobs (PWG 5100.11).
    public static let cancelMyJobs = Operation(rawValue: 0x0039)
    /// Resubmit-Job (PWG 5100.11).
    public static let resubmitJob = Operation(rawValue: 0x003A)
    /// Close-Job (PWG 5100.11).
    public static let closeJob = Operation(rawValue: 0x003B)
    /// Identify-Printer (PWG 5100.13).
    public static let identifyPrinter = Operation(rawValue: 0x003C)
    /// Validate-Document (PWG 5100.13).
    public static let validateDocument = Operation(rawValue: 0x003D)
    /// Add-Document-Images (PWG 5100.17).
    public static let addDocumentImages = Operation(rawValue: 0x003E)
    /// Acknowledge-Document (PWG 5100.18).
    public static let acknowledgeDocument = Operation(rawValue: 0x003F)
    /// Acknowledge-Identify-Printer (PWG 5100.18).
    public static let acknowledgeIdentifyPrinter = Operation(rawValue: 0x0040)
    /// Acknowledge-Job (PWG 5100.18).
    public static let acknowledgeJob = Operation(rawValue: 0x0041)
    /// Fetch-Document (PWG 5100.18).
    public static let fetchDocument = Operation(rawValue: 0x0042)
    /// Fetch-Job (PWG 5100.18).
    public static let fetchJob = Operation(rawValue: 0x0043)
    /// Get-Output-Device-Attributes (PWG 5100.18).
    public static let getOutputDeviceAttributes = Operation(rawValue: 0x0044)
    /// Update-Active-Jobs (PWG 5100.18).
    public static let updateActiveJobs = Operation(rawValue: 0x0045)
    /// Deregister-Output-Device (PWG 5100.18).
    public static let deregisterOutputDevice = Operation(rawValue: 0x0046)
    /// Update-Document-Status (PWG 5100.18).
    public static let updateDocumentStatus = Operation(rawValue: 0x0047)
    /// Update-Job-Status (PWG 5100.18).
    public static let updateJobStatus = Operation(rawValue: 0x0048)
    /// Update-Output-Device-Attributes (PWG 5100.18).
    public static let updateOutputDeviceAttributes = Operation(rawValue: 0x0049)
    /// Get-Next-Document-Data (PWG 5100.17).
    public static let getNextDocumentData = Operation(rawValue: 0x004A)
    /// Allocate-Printer-Resources (PWG 5100.22).
    public static let allocatePrinterResources = Operation(rawValue: 0x004B)
    /// Create-Printer (PWG 5100.22).
    public static let createPrinter = Operation(rawValue: 0x004C)
    /// Deallocate-Printer-Resources (PWG 5100.22).
    public static let deallocatePrinterResources = Operation(rawValue: 0x004D)
    /// Delete-Printer (PWG 5100.22).
    public static let deletePrinter = Operation(rawValue: 0x004E)
    /// Get-Printers (PWG 5100.22).
    public static let getPrinters = Operation(rawValue: 0x004F)
    /// Shutdown-One-Printer (PWG 5100.22).
    public static let shutdownOnePrinter = Operation(rawValue: 0x0050)
    /// Startup-One-Printer (PWG 5100.22).
    public static let startupOnePrinter = Operation(rawValue: 0x0051)
    /// Cancel-Resource (PWG 5100.22).
    public static let cancelResource = Operation(rawValue: 0x0052)
    /// Create-Resource (PWG 5100.22).
    public static let createResource = Operation(rawValue: 0x0053)
    /// Install-Resource (PWG 5100.22).
    public static let installResource = Operation(rawValue: 0x0054)
    /// Send-Resource-Data (PWG 5100.22).
    public static let sendResourceData = Operation(rawValue: 0x0055)
    /// Set-Resource-Attributes (PWG 5100.22).
    public static let setResourceAttributes = Operation(rawValue: 0x0056)
    /// Create-Resource-Subscriptions (PWG 5100.22).
    public static let createResourceSubscriptions = Operation(rawValue: 0x0057)
    /// Create-System-Subscriptions (PWG 5100.22).
    public static let createSystemSubscriptions = Operation(rawValue: 0x0058)
    /// Disable-All-Printers (PWG 5100.22).
    public static let disableAllPrinters = Operation(rawValue: 0x0059)
    /// Enable-All-Printers (PWG 5100.22).
    public static let enableAllPrinters = Operation(rawValue: 0x005A)
    /// Get-System-Attributes (PWG 5100.22).
    public static let getSystemAttributes = Operation(rawValue: 0x005B)
    /// Get-System-Supported-Values (PWG 5100.22).
    public static let getSystemSupportedValues = Operation(rawValue: 0x005C)
    /// Pause-All-Printers (PWG 5100.22).
    public static let pauseAllPrinters = Operation(rawValue: 0x005D)
    /// Pause-All-Printers-After-Current-Job (PWG 5100.22).
    public static let pauseAllPrintersAfterCurrentJob = Operation(rawValue: 0x005E)
    /// Register-Output-Device (PWG 5100.22).
    public static let registerOutputDevice = Operation(rawValue: 0x005F)
    /// Restart-System (PWG 5100.22).
    public static let restartSystem = Operation(rawValue: 0x0060)
    /// Resume-All-Printers (PWG 5100.22).
    public static let resumeAllPrinters = Operation(rawValue: 0x0061)
    /// Set-System-Attributes (PWG 5100.22).
    public static let setSystemAttributes = Operation(rawValue: 0x0062)
    /// Shutdown-All-Printers (PWG 5100.22).
    public static let shutdownAllPrinters = Operation(rawValue: 0x0063)
    /// Startup-All-Printers (PWG 5100.22).
    public static let startupAllPrinters = Operation(rawValue: 0x0064)
    /// Get-Printer-Resources (PWG 5100.22).
    public static let getPrinterResources = Operation(rawValue: 0x0065)
    /// Get-User-Printer-Attributes (PWG 5100.11).
    public static let getUserPrinterAttributes = Operation(rawValue: 0x0066)
    /// Restart-One-Printer (PWG 5100.22).
    public static let restartOnePrinter = Operation(rawValue: 0x0067)
    /// CUPS-Get-Default (CUPS).
    public static let cupsGetDefault = Operation(rawValue: 0x4001)
    /// CUPS-Get-Printers (CUPS).
    public static let cupsGetPrinters = Operation(rawValue: 0x4002)
    /// CUPS-Add-Modify-Printer (CUPS).
    public static let cupsAddModifyPrinter = Operation(rawValue: 0x4003)
    /// CUPS-Delete-Printer (CUPS).
    public static let cupsDeletePrinter = Operation(rawValue: 0x4004)
    /// CUPS-Get-Classes (CUPS).
    public static let cupsGetClasses = Operation(rawValue: 0x4005)
    /// CUPS-Add-Modify-Class (CUPS).
    public static let cupsAddModifyClass = Operation(rawValue: 0x4006)
    /// CUPS-Delete-Class (CUPS).
    public static let cupsDeleteClass = Operation(rawValue: 0x4007)
    /// CUPS-Accept-Jobs (CUPS).
    public static let cupsAcceptJobs = Operation(rawValue: 0x4008)
    /// CUPS-Reject-Jobs (CUPS).
    public static let cupsRejectJobs = Operation(rawValue: 0x4009)
    /// CUPS-Set-Default (CUPS).
    public static let cupsSetDefault = Operation(rawValue: 0x400A)
    /// CUPS-Get-Devices (CUPS).
    public static let cupsGetDevices = Operation(rawValue: 0x400B)
    /// CUPS-Get-PPDs (CUPS).
    public static let cupsGetPPDs = Operation(rawValue: 0x400C)
    /// CUPS-Move-Job (CUPS).
    public static let cupsMoveJob = Operation(rawValue: 0x400D)
    /// CUPS-Authenticate-Job (CUPS).
    public static let cupsAuthenticateJob = Operation(rawValue: 0x400E)
    /// CUPS-Get-PPD (CUPS).
    public static let cupsGetPPD = Operation(rawValue: 0x400F)
    /// CUPS-Get-Document (CUPS).
    public static let cupsGetDocument = Operation(rawValue: 0x4027)
    /// CUPS-Create-Local-Printer (CUPS).
    public static let cupsCreateLocalPrinter = Operation(rawValue: 0x4028)
}
