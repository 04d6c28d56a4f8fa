// The IPP operations that faults can name.

extension Fault {
    /// The IPP operations that simulated printers support, by name.
    ///
    /// The text of a fault cannot contain any other operation.
    package static let operations = [
        "CUPS-Get-Classes", "CUPS-Get-Default", "CUPS-Get-Printers", "Cancel-Job", "Cancel-Jobs", "Cancel-My-Jobs",
        "Cancel-Subscription", "Close-Job", "Create-Job", "Create-Job-Subscriptions", "Create-Printer-Subscriptions",
        "Disable-Printer", "Enable-Printer", "Get-Job-Attributes", "Get-Jobs", "Get-Notifications",
        "Get-Printer-Attributes", "Get-Printer-Supported-Values", "Get-Subscription-Attributes", "Get-Subscriptions",
        "Hold-Job", "Identify-Printer", "Pause-Printer", "Print-Job", "Print-URI", "Purge-Jobs", "Release-Job",
        "Renew-Subscription", "Restart-Job", "Resubmit-Job", "Resume-Printer", "Send-Document", "Send-URI",
        "Set-Job-Attributes", "Set-Printer-Attributes", "Validate-Job",
    ]
}
