// Reports which printers are published for clients on the network.

import IPP
import PrintModel
import Synchronization

/// The publication of shared printers by DNS-SD, and the networks whose clients need no credentials.
package final class SharingState: Sendable {
    private struct State {
        var names: [String: String] = [:]
        var refusals: [String: String] = [:]
        var problem: String?
        var changeCount = 0
    }

    private let state = Mutex(State())
    private let admits: @Sendable (String) -> Bool

    /// Creates the state before any printer is published.
    ///
    /// - Parameter admits: A function that returns whether clients with a numeric address can use printers that admit
    ///   clients without credentials.
    package init(admits: @escaping @Sendable (String) -> Bool = { _ in false }) { self.admits = admits }

    /// Records the name under which a printer is published; nil if the printer is no longer published.
    package func note(_ name: String?, of printer: String) {
        state.withLock { state in
            (state.names[printer], state.refusals[printer]) = (name, nil)
            if name != nil { state.problem = nil }
            state.changeCount += 1
        }
    }

    /// Records why a printer cannot be published.
    package func note(refusal reason: String, of printer: String) {
        state.withLock { state in
            (state.names[printer], state.refusals[printer]) = (nil, reason)
            state.changeCount += 1
        }
    }

    /// Records why no printer can be published.
    package func note(problem: String) {
        state.withLock { state in
            (state.names, state.problem) = ([:], problem)
            state.changeCount += 1
        }
    }

    /// The reason why no printer can be published; nil if there is none.
    package var problem: String? { state.withLock { $0.problem } }

    /// The number of changes of the published names, refusals and problems.
    var changeCount: Int { state.withLock { $0.changeCount } }

    func admitsAnonymous(from address: String) -> Bool { admits(address) }

    /// Returns the attributes of a printer that describe its sharing.
    func attributes(of printer: ConfiguredPrinter) -> [Attribute] {
        var attributes = [Attribute("printq-anonymous", .boolean(printer.admitsAnonymous))]
        // For `printq export`, because the published name can differ.
        if !printer.serviceName.isEmpty {
            attributes.append(Attribute("printq-dns-sd-name", .name(printer.serviceName)))
        }
        guard printer.isShared else { return attributes }
        let (name, problem) = state.withLock {
            ($0.names[printer.name], $0.refusals[printer.name] ?? $0.problem)
        }
        if let name { attributes.append(Attribute("printer-dns-sd-name", .name(name))) }
        if let problem { attributes.append(Attribute("printq-sharing-problem", .text(problem))) }
        return attributes
    }
}

extension SpoolService {
    /// Returns whether clients with a numeric address can use printers that admit clients without credentials.
    public func admitsAnonymous(from address: String) -> Bool { sharing.admitsAnonymous(from: address) }
}
