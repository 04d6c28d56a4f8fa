// Lists and changes the hosts of a shared queue.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Returns the hosts that share the queue, and the hosts of all printers (Get-Hosts).
    ///
    /// - Throws: `notDone` if the queue is not shared.
    package func hosts() async throws(SpoolerClientError) -> HostList { try Self.hosts(in: await ask(.printqGetHosts)) }

    /// Changes a host, or the hosts of a printer (Change-Hosts).
    ///
    /// - Returns: The hosts after the change.
    /// - Throws: `notDone` if the queue is not shared, or if the change is not possible; `noPermission` if the user is
    ///   not an administrator.
    package func changeHosts(_ change: HostChange) async throws(SpoolerClientError) -> HostList {
        let answer = try await ask(.printqChangeHosts, printer: change.printer, attributes: change.attributes)
        return try Self.hosts(in: answer)
    }

    private static func hosts(in answer: Message) throws(SpoolerClientError) -> HostList {
        guard let list = answer[.printer].flatMap(HostList.init(attributes:)) else {
            throw SpoolerClientError(.badAnswer, "printd returned no hosts; see 'printq doctor'")
        }
        return list
    }
}
