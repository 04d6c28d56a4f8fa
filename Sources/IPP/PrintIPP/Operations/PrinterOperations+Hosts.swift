// The operations that list and change the hosts of a shared queue.

package import IPP
public import PrintModel

extension Operation {
    /// The operation Get-Hosts, which returns the hosts that share a queue, and the hosts of all printers.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15).
    ///
    /// The printer attributes of the response are `printq-hosts` and `printq-placements`, with one collection for each
    /// host and each printer (``HostList``).
    package static let printqGetHosts = Operation(rawValue: 0x5058)

    /// The operation Change-Hosts, which changes a host or the hosts of a printer (``HostChange``).
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). Only administrators are allowed to
    /// use the operation.
    ///
    /// The operation attributes are `printq-host-change` (`drain`, `resume`, `remove`, `move` or `restrict`),
    /// `printq-host-name`, `printq-reachable-hosts`, and `printer-uri` for `move` and `restrict`. The response is that
    /// of Get-Hosts after the change.
    package static let printqChangeHosts = Operation(rawValue: 0x5059)
}

extension PrinterOperations {
    func getHosts(_ exchange: Exchange) async throws -> Message {
        var list = try await service.hostList()
        list.placements.removeAll { !exchange.reach.shows($0.printer) }
        return exchange.reply([AttributeGroup(.printer, list.attributes)])
    }

    /// Handles the operation Change-Hosts.
    func changeHosts(_ exchange: Exchange) async throws -> Message {
        let change = try HostChange(attributes: exchange.attributes, printer: exchange.target.printer)
        try await service.changeHosts(change)
        return try await getHosts(exchange)
    }
}

extension PrinterService {
    /// Throws an error, because this service has no hosts.
    public func hostList() async throws -> HostList { throw Self.withoutHosts }

    /// Throws an error, because this service has no hosts.
    public func changeHosts(_ change: HostChange) async throws { throw Self.withoutHosts }

    private static var withoutHosts: IPPFailure {
        IPPFailure(.serverErrorOperationNotSupported, "this server shares no queue with other hosts")
    }
}
