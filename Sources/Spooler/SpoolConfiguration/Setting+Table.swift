// The table of all settings of printd.

import PrintModel

// In the order of the sample file. Settings of an object follow each other.
extension Setting {
    package static let listen = Setting(
        "listen", .address, described: "no TCP port", needsRestart: true, option: "--listen",
        """
        An additional TCP address for lp, browsers and other clients of this machine: 127.0.0.1:PORT, [::1]:PORT, or \
        localhost:PORT for both. If the port is taken, printd does not start.
        """)
    package static let tls = Setting(
        "tls", .certificate, default: .bool(true), needsRestart: true,
        """
        TLS on the TCP address: with a certificate that printd creates (true), without TLS (false), or with your own \
        certificate. The files are in PEM format. The certificate file contains the certificate chain. Paths are \
        absolute, or relative to the folder of this file. Without key, the certificate file must also contain the key.
        """)
    package static let networkListen = Setting(
        "network.listen", .addresses, default: .list([]), needsRestart: true,
        """
        The TCP addresses for clients on the network, which must use TLS and credentials ('printq users'); 0.0.0.0 and [::] \
        are all addresses of this machine. If an address cannot be used, printd starts without it.
        """)
    package static let networkAllow = Setting(
        "network.allow", .networks, default: .list(IPNetwork.local), needsRestart: true,
        "The networks whose clients may connect to network.listen.")
    package static let networkAnonymous = Setting(
        "network.anonymous", .networks, default: .list([]), described: "the networks of network.allow",
        needsRestart: true,
        "The networks whose clients can use the printers of 'printq printers share --anonymous' without a token.")
    package static let networkNames = Setting(
        "network.names", .hostNames, default: .list([]), described: "the host name of this machine",
        needsRestart: true,
        """
        The names and addresses by which clients on the network call this server, for its certificate. Numeric \
        addresses and names that end in .local are always accepted.
        """)
    package static let networkPAM = Setting(
        "network.pam", .boolean, default: .bool(false),
        """
        Whether the accounts of this machine can print over the network with their passwords, which PAM checks \
        (/etc/pam.d/printq). The users of 'printq users' are asked first. The system spooler requires \
        print-authenticator.socket.
        """)
    package static let openIDIssuer = Setting(
        "openID.issuer", .issuer, described: "none",
        """
        The provider of OpenID Connect whose users can print over the network. Clients send its tokens (JWT) as bearer \
        tokens. audience and keys are also required.
        """)
    package static let openIDAudience = Setting(
        "openID.audience", .text, described: "none", "The name of this server at the provider (claim aud).")
    package static let openIDKeys = Setting(
        "openID.keys", .fileOrAddress, described: "none",
        """
        The public keys of the provider (JWKS): a file, which is read again after a change, or an address, from which \
        they are fetched again after 10 minutes and for an unknown key.
        """)
    package static let openIDAlgorithms = Setting(
        "openID.algorithms", .choices(["RS256", "ES256"]), default: .list(["RS256", "ES256"]),
        "The algorithms of signatures.")
    package static let openIDNameClaim = Setting(
        "openID.nameClaim", .text, described: "preferred_username, otherwise sub",
        "The claim with the user name, which the provider must never give to another person.")
    package static let openIDRealm = Setting(
        "openID.realm", .realm, described: "the host of the issuer",
        """
        The jobs of the provider's user anna belong to anna@REALM. With "", they belong to anna, who is then the same \
        person as the user of this machine.
        """)
    package static let openIDGroupsClaim = Setting(
        "openID.groupsClaim", .text, default: .text("groups"), "The claim with the user's groups.")
    package static let openIDLookGroups = Setting(
        "openID.lookGroups", .texts, default: .list([]), "The groups with the scope look.")
    package static let openIDSubmitGroups = Setting(
        "openID.submitGroups", .texts, default: .list([]), described: "all users",
        "The groups with the scope submit; if set, users in no group are refused.")
    package static let openIDManageGroups = Setting(
        "openID.manageGroups", .texts, default: .list([]), "The groups with the scope manage.")
    package static let store = Setting(
        "store", .database, described: "SQLite, in the folder of the spool", needsRestart: true, option: "--store",
        """
        A PostgreSQL database for the queue and its documents: postgresql://USER@HOST/DATABASE, with the parameters of \
        libpq, such as ?passfile=FILE or ?sslmode=verify-full. Several hosts can share the database. printd creates the \
        tables.
        """)
    package static let hostName = Setting(
        "hostName", .host, described: "the host name of this machine", needsRestart: true, option: "--host-name",
        "The unique name of this host among the hosts that share a database (setting store).")
    package static let idleExitSeconds = Setting(
        "idleExitSeconds", .number(0...1_000_000), default: .integer(0), unit: "s",
        described: "0; 600 if printq started printd", needsRestart: true, option: "--idle-exit",
        "The time without jobs and requests after which printd exits; with 0, printd never exits.")
    package static let cupsServer = Setting(
        "cupsServer", .cupsServer, described: "$CUPS_SERVER, else /run/cups/cups.sock", needsRestart: true,
        option: "--cups", "The address of the cupsd for cups:NAME printers.")
    package static let simulators = Setting(
        "simulators", .folder, described: "the printers of printsim", needsRestart: true, option: "--simulators",
        "A folder with the definitions of the simulated printers.")
    package static let simulatorSpeed = Setting(
        "simulatorSpeed", .speed, described: "the speed in the definition of each printer", needsRestart: true,
        option: "--simulator-speed", "The speed of the simulated printers; x1 is the speed of a real printer.")
    package static let jobPrivateAccess = Setting(
        "jobPrivateAccess", .choice(JobPrivacy.Scope.allCases.map(\.rawValue)), default: .text("owner"),
        """
        The users who may see the private values of jobs: the owner and administrators, or everyone.
        """)
    package static let jobPrivateValues = Setting(
        "jobPrivateValues", .choices(JobPrivacy.knownNames), default: .list(["default"]),
        "The private values of jobs; default: all except the length and the progress of a job.")
    package static let tlsAuthorities = Setting(
        "tlsAuthorities", .file, described: "none: the first certificate of a printer is trusted",
        """
        The certificates of the trusted certificate authorities, in PEM format; the path is absolute, or relative to \
        the folder of this file. A printer's certificate must be signed by one of these authorities, be valid now and \
        contain the printer's host name. Without this setting, printd trusts the first certificate of each printer \
        until 'printq printers trust' accepts another certificate.
        """)
    package static let queueOrder = Setting(
        "queueOrder", .choice(QueueOrder.allCases.map(\.rawValue)), default: .text("per-printer"),
        """
        per-printer: each printer prints its own next job; a job whose preparation takes more than 5 s lets other users \
        go first. fair: the same, but the users with jobs at a printer take turns, and a priority orders only the jobs \
        of one user. strict: one job at a time in the order of the whole queue; a job that cannot start blocks all jobs \
        behind it.
        """)
    package static let jobRetryInterval = Setting(
        "jobRetryInterval", .number(0...86_400), default: .integer(60), unit: "s",
        """
        The maximum time between two attempts to print a job, at least 0.1 s. The first wait takes one second, and each \
        further wait twice as long.
        """)
    package static let keepJobs = Setting(
        "keepJobs", .integer(0...1_000_000_000), default: .integer(1000), unit: "jobs",
        "The maximum number of ended jobs. printd first deletes the oldest jobs of the owners with the most jobs.")
    package static let keepDays = Setting(
        "keepDays", .integer(0...36_500), default: .integer(7), unit: "days", "The time to keep an ended job.")
    package static let keepDocuments = Setting(
        "keepDocuments", .documentKeeping, default: .bool(true),
        """
        The time to keep the documents of an ended job for reprints: as long as the job, not at all, or a number of \
        days.
        """)
    package static let jobPasswordHours = Setting(
        "jobPasswordHours", .integer(1...8760), default: .integer(24), unit: "hours",
        "The time for which a new job with a PIN waits for its release; then the job is aborted.")
    package static let keepAccountingDays = Setting(
        "keepAccountingDays", .integer(0...36_500), default: .integer(400), unit: "days",
        "The time to keep accounting entries (printq log --accounting).")
    package static let perUserJobs = Setting(
        "perUser.jobs", .integer(1...1_000_000_000), default: .integer(50_000), unit: "jobs",
        "The maximum number of unfinished jobs per owner; further jobs are refused.")
    package static let perUserIncomingJobs = Setting(
        "perUser.incomingJobs", .integer(1...1_000_000), default: .integer(100), unit: "jobs",
        "The maximum number of jobs per owner that are waiting for their documents.")
    package static let perUserDocumentsMiB = Setting(
        "perUser.documentsMiB", .integer(1...1_000_000_000), default: .integer(16_384), unit: "MiB",
        """
        The maximum total size of one owner's documents in the spool, including documents of ended jobs.
        """)
    package static let workerMemoryMiB = Setting(
        "worker.memoryMiB", .integer(256...1_048_576), default: .integer(1024), unit: "MiB",
        """
        The address space limit of the process that reads a document; at least 2048 for LibreOffice and the HTML engine.
        """)
    package static let workerProcessorSeconds = Setting(
        "worker.processorSeconds", .integer(1...86_400), default: .integer(120), unit: "s",
        "The CPU time limit of the process that reads a document or one part of a long document.")
    package static let workerPageSeconds = Setting(
        "worker.pageSeconds", .integer(1...86_400), default: .integer(10), unit: "s",
        "The CPU time limit for one page; a page that takes longer is drawn with the second renderer.")
    package static let workerWallSeconds = Setting(
        "worker.wallSeconds", .integer(1...86_400), default: .integer(300), unit: "s",
        "The wall-clock time limit of all attempts to prepare a document; drawing pixels adds pageSeconds per page.")
    package static let workerOutputMiB = Setting(
        "worker.outputMiB", .integer(1...1_048_576), default: .integer(2048), unit: "MiB",
        "The size limit of each file that a worker writes; for a PDF from the HTML engine, the limit is at most 256.")
    package static let workerProcesses = Setting(
        "worker.processes", .integer(1...1024), described: "the number of processors, at least 2", needsRestart: true,
        """
        The maximum number of documents, or parts of long documents, that are processed concurrently. Printers take \
        turns, and the owners of a printer's jobs take turns. One additional small document may be processed at the \
        same time.
        """)
    package static let workerUser = Setting(
        "worker.user", .user, described: "the user 'printq' if it exists, otherwise 'nobody'", needsRestart: true,
        """
        The user of the worker processes when printd runs as root; must not be root or have root's group. Root's \
        documents in the spool get the group of this user.
        """)
    /// The setting that determines whether workers require Landlock.
    package static let workerRequireLandlock = Setting(
        "worker.requireLandlock", .boolean, default: .bool(true), needsRestart: true,
        """
        Whether jobs wait if the kernel does not support Landlock. Without Landlock, a document could read other files \
        of the worker's user.
        """)

    /// The settings of `printd`, in the order of the sample file.
    package static let all: [Setting] = [
        listen, tls, networkListen, networkAllow, networkAnonymous, networkNames, networkPAM,
        openIDIssuer, openIDAudience, openIDKeys, openIDAlgorithms, openIDNameClaim, openIDRealm, openIDGroupsClaim,
        openIDLookGroups, openIDSubmitGroups, openIDManageGroups, store, hostName,
        idleExitSeconds, cupsServer, simulators, simulatorSpeed, jobPrivateAccess, jobPrivateValues,
        tlsAuthorities,
        queueOrder, jobRetryInterval, keepJobs, keepDays, keepDocuments, jobPasswordHours,
        keepAccountingDays,
        perUserJobs, perUserIncomingJobs, perUserDocumentsMiB,
        workerMemoryMiB, workerProcessorSeconds, workerPageSeconds, workerWallSeconds, workerOutputMiB,
        workerProcesses, workerUser, workerRequireLandlock,
    ]

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// Returns the setting with the given key; nil if there is no such setting.
    package static func named(_ key: String) -> Setting? { byKey[key] }

    /// Returns the message that reports an unknown key and suggests the most similar key.
    package static func unknown(_ key: String) -> String { UnknownSetting.message(key, in: all.map(\.key)) }
}
