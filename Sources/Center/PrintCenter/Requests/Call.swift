// A checked request of a user.

import HTTPTypes
package import IPPServer
package import PrintIPP
package import PrintModel
package import SpoolerClient

/// An authenticated request that has passed all checks, for the handler of a route.
package struct Call: Sendable {
    /// The Print Center that received the request.
    package let center: PrintCenter
    /// The HTTP request of the user.
    package let request: WebRequest
    /// The values of the path parameters, by parameter name.
    package let parameters: [String: String]
    /// The query of the request's URL.
    package let query: QueryText
    /// The authenticated user.
    package let user: CenterUser
    /// The session of the browser; nil for a request on the Unix socket.
    let session: BrowserSession?

    /// The maximum size of a JSON body in bytes.
    private static let mostJSON = 256 << 10

    /// The IPP client that sends requests on behalf of the user.
    ///
    /// `printd` applies the access rules of the user to each request.
    package var spooler: Spooler {
        Spooler(
            client: InProcessTransport(
                center.responder, peer: user.peer, identity: user.networkUser.map { .user($0) }, host: request.host,
                disconnection: request.disconnection),
            user: user.name
        ) { () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "the spooler does not respond")
        }
    }

    /// Returns the JSON object in the body.
    ///
    /// - Throws: `Problem` if the body is too large, is not a JSON object or does not have the type `application/json`.
    package func json() async throws -> JSONText {
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "the content type of the request is not application/json; send a JSON object")
        }
        let value = try JSONReader.read(try await request.body.collect(upTo: Self.mostJSON))
        guard case .object = value else { throw Problem.malformed("the body must be a JSON object") }
        return value
    }

    /// Returns the JSON object in the body; an empty object if the request has no body.
    package func optionalJSON() async throws -> JSONText {
        if request.headers[.contentType] == nil, request.body.length ?? 0 == 0 { return .object([]) }
        return try await json()
    }

    /// Returns the number in a path parameter.
    ///
    /// - Throws: `Problem` with status 404 if the value is not a positive number.
    package func number(_ name: String) throws(Problem) -> Int {
        guard let text = parameters[name], text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int32(text), number > 0
        else { throw .notFound("invalid \(name) '\(parameters[name] ?? "")' in the path; expected a positive number") }
        return Int(number)
    }
}

/// A request that has passed all checks, for the handler of a route that does not require a user.
package struct Visit: Sendable {
    /// The Print Center that received the request.
    package let center: PrintCenter
    /// The HTTP request of the client.
    package let request: WebRequest
    /// The values of the path parameters, by parameter name.
    package let parameters: [String: String]
    /// The query of the request's URL.
    package let query: QueryText
    /// The request together with its user; nil if the user is not authenticated.
    package let call: Call?

    /// Whether the request belongs to the session of a browser.
    var isBrowser: Bool { call?.session != nil }
}

/// The authenticated user of a request.
package struct CenterUser: Sendable, Hashable {
    /// The account name of the user.
    package var name: String
    /// The kind of requester, which selects the column in the access table.
    package var kind: RequesterKind
    /// The client identity that the user's IPP requests contain.
    ///
    /// On the Unix socket, the kernel reports the identity. For a browser session of a local user, the identity consists
    /// of the user of the session, with the process ID 0. For a user on the network, it is the address of the browser.
    package var peer: Peer
    /// The user on the network; nil for a local user.
    package var networkUser: NetworkUser?

    /// Creates a user of this machine.
    package init(name: String, isAdministrator: Bool, peer: Peer) {
        (self.name, self.peer) = (name, peer)
        kind = isAdministrator ? .administrator : .user
    }

    /// Creates a user on the network, who has logged in.
    package init(_ user: NetworkUser, peer: Peer) {
        (name, self.peer, networkUser) = (user.name, peer, user)
        kind = Requester.networkUser(user).kind
    }

    /// The unique key of a user.
    package enum Account: Hashable, Sendable {
        /// The ID of a local user.
        case local(UInt32)
        /// The name of a user on the network.
        case network(String)
    }

    /// The key of the user, for objects that only the same user may use.
    package var account: Account { networkUser.map { .network($0.name) } ?? .local(uid) }

    /// Whether the user is root, the user of the server process, a member of the group `lpadmin`, or a user on the
    /// network with the scope `manage`.
    package var isAdministrator: Bool { kind == .administrator }

    /// The ID of the user of this machine.
    package var uid: UInt32 { networkUser == nil ? peer.uid ?? .max : .max }

    /// The ID of the user's primary group.
    var gid: UInt32 { if case .unix(_, let gid, _) = peer { gid } else { .max } }
}
