// The options for TLS and certificates.

import ArgumentParser
import Glibc
import IPPServer
import IPPServerTLS
import PrintIPP
import PrinterSimulator
import SimulatorServer

struct Encryption: ParsableArguments {
    @Flag(name: .customLong("no-tls"), help: "Serves only ipp URIs, without TLS.")
    var isWithoutTLS = false

    @Flag(name: .customLong("tls-only"), help: "Serves only ipps URIs, and refuses TCP connections without TLS.")
    var isTLSOnly = false

    @Option(
        help: ArgumentHelp(
            "A certificate chain in PEM format (default: a self-signed certificate).",
            valueName: "file"))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The certificate's private key (default: the key in the certificate file).", valueName: "file"))
    var key: String?

    func validate() throws {
        guard !isWithoutTLS || !isTLSOnly else { throw ValidationError("--no-tls and --tls-only exclude each other") }
        guard !isWithoutTLS || certificate == nil && key == nil else {
            throw ValidationError("--certificate and --key have no effect with --no-tls")
        }
        guard key == nil || certificate != nil else { throw ValidationError("--key requires --certificate") }
    }

    /// The `uri-security-supported` values for TCP connections: `none`, `tls`, or both.
    var security: [URISecurity] { isWithoutTLS ? [.none] : isTLSOnly ? [.tls] : [.none, .tls] }

    func namedIdentity() throws(StartError) -> TLSIdentity? {
        guard let certificate else { return nil }
        return try Self.asStartError { () throws(TLSError) in
            try TLSIdentity(
                certificateFile: Paths.absolute(certificate), keyFile: Paths.absolute(key ?? certificate))
        }
    }

    static func ownIdentity(in output: String) throws(StartError) -> RenewedIdentity {
        try asStartError { () throws(TLSError) in
            try RenewedIdentity(
                in: output, for: .thisMachine,
                onFailure: { Notice.write("printsim: cannot renew the certificate: \($0.message)") })
        }
    }

    private static func asStartError<Value>(_ body: () throws(TLSError) -> Value) throws(StartError) -> Value {
        do throws(TLSError) {
            return try body()
        } catch {
            switch error.code {
            case .noFile: throw .noInput(error.message)
            case .badFile: throw .badConfiguration(error.message)
            case .notMade: throw .cannotCreate("\(error.message); use --no-tls to serve without TLS")
            }
        }
    }
}

extension OptionalTLS {
    /// The TLS layer also applies the TLS faults of the printers.
    init(identity: @escaping @Sendable () -> TLSIdentity, faultsOf printers: [SimulatedPrinter]) {
        self.init(identity: identity) {
            guard let (met, fault) = await Self.fault(of: printers) else { return .proper }
            let now = time(nil)
            let year = 365 * 86_400
            let other: TLSIdentity?
            switch fault {
            case .failure: return .alert(40)
            case .stall: return .after { await met.untilOver(by: ContinuousClock()) }
            case .expired: other = try? identity().another(for: .thisMachine, from: now - 2 * year, until: now - year)
            case .wrongName:
                // A reserved top-level domain that does not resolve (RFC 2606 §2).
                other = try? identity().another(
                    for: CertificateNames(hosts: ["another-printer.invalid"]), from: now - 86_400, until: now + year)
            }
            return other.map { .with($0) } ?? .alert(80)  // internal_error
        }
    }

    /// Returns the fault of the next handshake; nil for a handshake without a fault.
    ///
    /// During the handshake, the server does not have the name of the requested printer yet. Therefore a fault of one
    /// printer affects all printers on the port.
    private static func fault(of printers: [SimulatedPrinter]) async -> (met: TriggeredFault, kind: HandshakeFault)? {
        for printer in printers {
            if let met = await printer.handshakeFault(), case .answer(.handshake(let fault)) = met.fault.kind {
                return (met, fault)
            }
        }
        return nil
    }
}
