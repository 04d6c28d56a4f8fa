// Formats the users on the network as a table and as JSON.

import PrintIPP
package import PrintModel
package import SpoolerClient

extension NetworkUser {
    /// Returns the users as a table.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - times: The style of the times, relative or absolute.
    package static func table(of users: [NetworkUser], now: UnixTime, times: TimeStyle = .absolute) -> TextTable {
        var table = TextTable([.left("NAME"), .left("SCOPE"), .left("CREATED"), .left("PASSWORD SET")])
        for user in users {
            table.add([
                user.name, user.scope.rawValue, times.text(user.createdAt, now: now),
                times.text(user.passwordChangedAt, now: now),
            ])
        }
        return table
    }

    /// The users as JSON, without their passwords.
    package static func json(of users: [NetworkUser]) -> JSONText { .array(users.map { JSONText($0.attributes) }) }
}
