// The operations that list and change the tokens of clients on the network.

package import IPP
public import PrintModel

extension Operation {
    /// The operation Get-Tokens, which returns the tokens without their secrets.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). The printer attribute of the
    /// response is `printq-tokens`, with one collection for each token (``AccessToken``).
    package static let printqGetTokens = Operation(rawValue: 0x505A)

    /// The operation Change-Tokens, which creates or revokes a token (``TokenChange``).
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). Only administrators on the machine
    /// of the server are allowed to use the operation: a stolen token must not create others.
    ///
    /// The operation attributes are `printq-token-change` (`create` or `revoke`), `printq-token-name`, and for `create`
    /// `printq-token-user`, `printq-token-scope`, `printq-token-printers`, `printq-token-for-others` and
    /// `printq-token-lifetime` (in seconds). The response is that of
    /// Get-Tokens after the change; after `create`, the operation attribute `printq-token` is the secret.
    package static let printqChangeTokens = Operation(rawValue: 0x505B)
}

extension PrinterOperations {
    func getTokens(_ exchange: Exchange) async throws -> Message {
        let tokens = AccessToken.attribute(of: try await service.tokens())
        return exchange.reply(tokens.values.isEmpty ? [] : [AttributeGroup(.printer, [tokens])])
    }

    func changeTokens(_ exchange: Exchange) async throws -> Message {
        guard case .kernel = exchange.requester else {
            throw IPPFailure.notAuthorized(
                "tokens can be created and revoked only on the machine of the server, not with another token")
        }
        let secret = try await service.changeTokens(TokenChange(attributes: exchange.attributes))
        var reply = try await getTokens(exchange)
        guard let secret, let index = reply.groups.firstIndex(where: { $0.tag == .operation }) else { return reply }
        reply.groups[index].attributes.append(Attribute("printq-token", .text(secret)))
        return reply
    }
}

extension PrinterService {
    /// Throws an error, because this service has no tokens.
    public func tokens() async throws -> [AccessToken] { throw Self.withoutTokens }

    /// Throws an error, because this service has no tokens.
    public func changeTokens(_ change: TokenChange) async throws -> String? { throw Self.withoutTokens }

    private static var withoutTokens: IPPFailure {
        IPPFailure(.serverErrorOperationNotSupported, "this server has no tokens")
    }
}
