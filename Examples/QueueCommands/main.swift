// Each queue command of printq as a call of SpoolerClient: QueueCommands COMMAND [ARGUMENT …]
//
// 'QueueCommands' without arguments lists the commands. An error is one line: its code, and its message.

import Glibc
import SpoolerClient

let words = Array(CommandLine.arguments.dropFirst())
guard !words.isEmpty else {
    for name in commands.keys.sorted() { print(name) }
    exit(EXIT_SUCCESS)
}
let found = (1...2).reversed().lazy.compactMap { count in
    commands[words.prefix(count).joined(separator: " ")].map { (run: $0, rest: Array(words.dropFirst(count))) }
}.first
guard let command = found else {
    print("unknown command")
    exit(EX_USAGE)
}
do {
    try await command.run(Spooler(), Words(command.rest))
} catch let error as SpoolerClientError {
    print("\(error.code): \(error.message)")
    exit(EXIT_FAILURE)
}
