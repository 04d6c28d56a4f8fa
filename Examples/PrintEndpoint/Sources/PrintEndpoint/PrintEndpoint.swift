// A server that prints orders: `PrintEndpoint PORT`.

import Hummingbird

@main
struct PrintEndpoint {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        let application = Application(
            router: printEndpoint4(), configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }
}
