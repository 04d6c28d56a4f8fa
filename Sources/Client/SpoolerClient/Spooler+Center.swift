// Opens the Print Center.

package import IPP

extension Operation {
    /// The IPP operation that returns a one-time address of the Print Center.
    ///
    /// The operation code is in the range for vendors (RFC 8011 §5.4.15). printd accepts the operation only on the Unix
    /// socket. The printer attribute `printq-center-uri` of the response contains the address.
    package static let printqOpenCenter = Operation(rawValue: 0x5057)
}

extension Spooler {
    /// Returns a one-time address that opens the Print Center in a browser and signs the user in.
    package func centerAddress() async throws(SpoolerClientError) -> String {
        let answer = try await ask(.printqOpenCenter)
        guard let address = answer[.printer]?.string("printq-center-uri") else {
            throw SpoolerClientError(.badAnswer, "printd returned no address of the Print Center; see 'printq doctor'")
        }
        return address
    }
}
