// The launcher process, which enters a sandbox and executes one converter program.

import WorkerProcess

@main
enum PrintLauncher {
    static func main() {
        ProgramLauncher().run()
    }
}
