// The operation that makes a spooler read its configuration again.

public import IPP

extension Operation {
    /// The operation Reload-Configuration, which causes a spooler to reload its configuration file.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). Only administrators are allowed to
    /// use the operation.
    ///
    /// The printer attributes of the response are `printq-changed-settings` (the settings whose values have changed)
    /// and `printq-settings-after-restart` (the settings whose new values need a restart).
    package static let printqReloadConfiguration = Operation(rawValue: 0x5052)
}

extension PrinterOperations {
    func reloadConfiguration(_ exchange: Exchange) async throws -> Message {
        exchange.reply([AttributeGroup(.printer, try await service.reloadConfiguration())])
    }
}

extension PrinterService {
    /// Throws an error, because this service has no configuration.
    public func reloadConfiguration() async throws -> [Attribute] {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server has no configuration file to reload")
    }
}
