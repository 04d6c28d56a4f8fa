// Lists and changes the users on the network.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Returns the users on the network (Get-Users).
    ///
    /// - Throws: `noPermission` if the user is not an administrator.
    package func users() async throws(SpoolerClientError) -> [NetworkUser] {
        NetworkUser.list(in: try await ask(.printqGetUsers)[.printer])
    }

    /// Adds or removes a user on the network, or sets a password (Change-Users).
    ///
    /// - Returns: The users after the change.
    /// - Throws: `notDone` if the change is not possible; `noPermission` if the user is not an administrator.
    package func changeUsers(_ change: UserChange) async throws(SpoolerClientError) -> [NetworkUser] {
        NetworkUser.list(in: try await ask(.printqChangeUsers, attributes: change.attributes)[.printer])
    }
}
