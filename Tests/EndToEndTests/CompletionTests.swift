// Tests the completions of printq in real shells.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

/// A shell that completes a command line of printq.
enum CompletingShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script that completes its last arguments, and writes the candidates.
    fileprivate var script: String {
        switch self {
        case .bash:
            """
            source ./completions
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            function=$(complete -p printq | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            $function printq "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        case .zsh:
            // Completion in zsh requires a terminal. The widget of the tab key lists the candidates.
            """
            zmodload zsh/zpty
            zpty -b terminal zsh -f -i
            zpty -w terminal 'PS1=; unsetopt zle_bracketed_paste; fpath=($PWD $fpath); autoload -Uz compinit
            compinit -u -D; LISTMAX=1000; print REA''DY'
            zpty -r terminal output '*READY*'
            zpty -w -n terminal "$*"$'\\t\\t\\n'"print E''ND"$'\\n'
            zpty -r terminal output '*END*'
            print -r -- "$output"
            """
        case .fish: "source ./completions; complete --do-complete \"$argv\""
        }
    }

    /// Completes the last word of a command line.
    ///
    /// - Returns: The text that the shell wrote to standard output and standard error.
    func complete(_ words: [String], spool: String, in folder: TemporaryFolder) async throws -> String {
        let programs = Programs.beside("").dropLast()
        let environment = [
            "PATH": "\(programs):/usr/bin:/bin", "HOME": folder.path("home"), "PRINTQ_SPOOL": spool, "TERM": "dumb",
        ]
        let script = try await ProgramRun(
            Programs.beside("printq"), ["--generate-completion-script", rawValue], environment: environment,
            in: folder.path)
        let file = folder.path(self == .zsh ? "_printq" : "completions")
        try script.output.write(toFile: file, atomically: false, encoding: .utf8)
        let options = self == .fish ? ["--no-config", "-c", self.script] : ["-c", self.script, rawValue]
        // fish passes the rest of the arguments to the script without its name.
        // A completion ends without candidates after a second, which a slow machine can need to start printq.
        var run: ProgramRun
        var attempts = 0
        repeat {
            run = try await ProgramRun(
                "/usr/bin/\(rawValue)", options + words, environment: environment, in: folder.path)
            attempts += 1
        } while self == .bash && run.output.allSatisfy(\.isWhitespace) && attempts < 5
        return run.output + run.complaints
    }
}

@Suite(.timeLimit(.minutes(2)))
struct CompletionTests {
    // Without a terminal, fish completes only fixed words: its 'commandline -C' requires a terminal.
    @Test(arguments: [CompletingShell.bash, .zsh])
    func `shell completion of 'printq cancel' lists the numbers of the jobs that can be canceled`(
        shell: CompletingShell
    ) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let document = try spooler.file("a.pdf", .numbered(pages: 1))
        for _ in 1...3 { expect(try await spooler.printq("submit", "--hold", document)) }
        expect(try await spooler.printq("cancel", "2"))
        let output = try await shell.complete(["printq", "cancel", ""], spool: spooler.spool, in: spooler.folder)
        if shell == .zsh {
            // zsh lists the candidates on one line of the terminal.
            #expect(output.contains(/\b1 +3\b/), "\(output)")
        } else {
            let candidates = Set(output.split(whereSeparator: \.isWhitespace))
            #expect(candidates.isSuperset(of: ["1", "3"]) && !candidates.contains("2"), "\(output)")
        }
    }

    @Test(arguments: [CompletingShell.bash, .zsh])
    func `the shell completes a partial printer name`(shell: CompletingShell) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let words = ["printq", "printers", "pause", "mono"]
        let output = try await shell.complete(words, spool: spooler.spool, in: spooler.folder)
        #expect(output.contains("mono-laser"), "\(output)")
    }

    @Test func `shell completion uses the spool that is given on the command line`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let words = ["printq", "submit", "--spool", spooler.spool, "--printer", "mono"]
        let output = try await CompletingShell.bash.complete(words, spool: "/nonexistent", in: spooler.folder)
        #expect(output == "mono-laser\n")
    }

    @Test func `fish completes a partial command name`() async throws {
        let folder = try TemporaryFolder()
        let output = try await CompletingShell.fish.complete(
            ["printq", "canc"], spool: folder.path("spool"), in: folder)
        #expect(output.hasPrefix("cancel\t"), "\(output)")
    }

    @Test func `if printd is not running, shell completion writes nothing and does not start printd`() async throws {
        let folder = try TemporaryFolder()
        let output = try await CompletingShell.bash.complete(
            ["printq", "cancel", ""], spool: folder.path("spool"), in: folder)
        #expect(output.trimmingCharacters(in: .newlines).isEmpty, "\(output)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("spool")))
    }
}
