// Whether printers are reached plainly, under TLS, or both, and with which certificate.

import ArgumentParser
import Glibc
import IPPServer
import IPPServerTLS
import PrintIPP
import PrinterSimulator
import SimulatorServer

/// What the command line says about TLS.
struct Encryption: ParsableArguments {
    @Flag(name: .customLong("no-tls"), help: "Serve ipp: only, without TLS.")
    var isWithoutTLS = false

    @Flag(name: .customLong("tls-only"), help: "Serve ipps: only, and refuse plain connections on TCP.")
    var isTLSOnly = false

    @Option(
        help: ArgumentHelp(
            "A certificate in PEM form, with those it was signed with (default: one that printsim makes itself).",
            valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's key (default: in the same file).", valueName: "file"))
    var key: String?

    func validate() throws {
        guard !isWithoutTLS || !isTLSOnly else { throw ValidationError("--no-tls and --tls-only leave nothing") }
        guard !isWithoutTLS || certificate == nil && key == nil else {
            throw ValidationError("--no-tls needs no --certificate and no --key")
        }
        guard key == nil || certificate != nil else { throw ValidationError("--key needs its --certificate") }
    }

    /// How connections of TCP may be secured.
    var security: [URISecurity] { isWithoutTLS ? [.none] : isTLSOnly ? [.tls] : [.none, .tls] }

    /// The certificate that is named; nil when none is.
    func namedIdentity() throws(StartError) -> TLSIdentity? {
        guard let certificate else { return nil }
        return try Self.asStartError { () throws(TLSError) in
            try TLSIdentity(
                certificateFile: Paths.absolute(certificate), keyFile: Paths.absolute(key ?? certificate))
        }
    }

    /// Our own certificate, kept in the output folder.
    static func ownIdentity(in output: String) throws(StartError) -> TLSIdentity {
        try asStartError { () throws(TLSError) in try TLSIdentity.kept(in: output, for: .thisMachine) }
    }

    private static func asStartError<Value>(_ body: () throws(TLSError) -> Value) throws(StartError) -> Value {
        do throws(TLSError) {
            return try body()
        } catch {
            switch error.code {
            case .noFile: throw .noInput(error.message)
            case .badFile: throw .badConfiguration(error.message)
            case .notMade: throw .cannotCreate("\(error.message); --no-tls does without")
            }
        }
    }
}

extension TLSFront {
    /// TLS that goes wrong where the printers have planned it.
    init(_ identity: TLSIdentity, faultsOf printers: [SimulatedPrinter]) {
        self.init(identity) {
            guard let plan = await HandshakePlan.next(of: printers) else { return .proper }
            let now = time(nil)
            let year = 365 * 86_400
            let other: TLSIdentity?
            switch plan.fault {
            case .failure: return .alert(40)
            case .stall: return .after { await plan.untilOver() }
            case .expired: other = try? identity.another(for: .thisMachine, from: now - 2 * year, until: now - year)
            case .wrongName:
                // A name that is nobody's (RFC 2606 §2).
                other = try? identity.another(
                    for: CertificateNames(hosts: ["another-printer.invalid"]), from: now - 86_400, until: now + year)
            }
            return other.map { .with($0) } ?? .alert(80)  // internal_error
        }
    }
}
