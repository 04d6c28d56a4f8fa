// Reads options of `printsim serve` from the environment.

import FoundationEssentials

/// The options of `printsim serve` that variables of the environment can set, such as `PRINTSIM_PORT` for `--port`.
///
/// An option on the command line overrides its variable. `PRINTSIM_OUTPUT` sets no option, because `printsim run` sets
/// it for the tested program.
enum EnvironmentOptions {
    private static let names = [
        "port", "listen", "speed", "keep", "page-time", "idle-exit", "webhook", "fault",
    ]

    /// Returns the arguments with the options of the environment, and the variables that were used.
    static func adding(
        to arguments: [String], from environment: [String: String]
    ) -> (arguments: [String], variables: [String]) {
        let isServe = arguments.first.map { $0 == "serve" || !Printsim.commandNames.contains($0) && $0 != "help" }
        // The printers of a spool have the options that printd sets.
        guard isServe ?? true, !arguments.contains("--of-queue") else { return (arguments, []) }
        var (more, variables): ([String], [String]) = ([], [])
        for name in names {
            let variable = "PRINTSIM_" + name.uppercased().replacing("-", with: "_")
            guard let value = environment[variable], !value.isEmpty,
                !arguments.contains(where: { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") })
            else { continue }
            more.append("--\(name)=\(value)")
            variables.append(variable)
        }
        return (arguments + more, variables)
    }
}
