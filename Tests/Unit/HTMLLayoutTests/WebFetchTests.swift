import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import HTMLLayout

/// Tests of `print-fetch`, with servers on the loopback interface.
struct WebFetchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Result: Decodable {
        var path, format, name, title: String
        var notices: [String]
    }

    private func fetch(_ arguments: String...) async throws -> ProgramRun {
        let engine = try #require(testEngine.installation)
        return try await ProgramRun(
            BuiltPrograms.folder + "print-fetch", arguments + ["--output", folder.path],
            environment: ["PATH": "/usr/bin:/bin", "PRINTQ_HTML_ENGINE": engine, "http_proxy": "http://127.0.0.1:9"],
            in: folder.path)
    }

    private func fetched(_ address: String) async throws -> Result {
        let run = try await fetch(address, "--allow-private")
        #expect(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
    }

    private func text(_ result: Result) async throws -> [String] {
        try await ProgramRun("/usr/bin/pdftotext", [result.path, "-"], environment: [:], in: folder.path).output
            .split(whereSeparator: \.isWhitespace).map(String.init)
    }

    @Test func `a web page becomes a PDF with its style sheets and images`() async throws {
        let html = """
            <title>The Title</title><link rel=stylesheet href=a.css><p>text<img src=/a.png>
            <img src="file:///etc/hostname"><img src="ftp://127.0.0.1/x.png">
            """
        let server = try WebServer([
            "/pages/one.html": .init(header: "Content-Type: text/html; charset=utf-8", body: Array(html.utf8)),
            "/pages/a.css": .init(header: "Content-Type: text/css", body: Array("@import 'b.css';".utf8)),
            "/pages/b.css": .init(
                header: "Content-Type: text/css", body: Array("p::before { content: 'styled ' }".utf8)),
            "/a.png": .init(header: "Content-Type: image/png", body: HTMLResourceTests.pixel),
        ])
        let result = try await fetched("\(server.address)/pages/one.html")
        #expect(result.format == "application/pdf")
        #expect(result.path == folder.path("The Title"))
        #expect(result.title == "The Title")
        #expect(try await text(result) == ["styled", "text"])
        #expect(Set(server.requests) == ["/pages/one.html", "/pages/a.css", "/pages/b.css", "/a.png"])
        #expect(result.notices.contains { $0.hasPrefix("file:///etc/hostname was left out") })
        #expect(result.notices.contains { $0.hasPrefix("ftp://127.0.0.1/x.png was left out") })
    }

    @Test func `a fetched document is stored unchanged if it is not HTML`() async throws {
        let server = try WebServer([
            "/doc/a%20b.md?x=1": .init(header: "Content-Type: text/markdown", body: Array("# Title\n".utf8))
        ])
        let result = try await fetched("\(server.address)/doc/a%20b.md?x=1#part")
        #expect(server.requests == ["/doc/a%20b.md?x=1"])
        #expect(result.format == "text/markdown")
        #expect(result.path == folder.path("a b.md"))
        #expect(PrintTestSupport.text(of: result.path) == "# Title\n")
    }

    @Test func `a web page on this machine is refused before a connection is made`() async throws {
        let server = try WebServer([:])
        let port = try #require(server.address.split(separator: ":").last)
        for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433"] {
            let run = try await fetch("http://\(host):\(port)/")
            #expect(run.code == 77, "\(host): \(run.complaints)")
            #expect(run.complaints.contains("--allow-private"), "\(host): \(run.complaints)")
        }
        #expect(server.requests == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `a data: URI is converted without the network`() async throws {
        let run = try await fetch("data:text/html,<p>small<img src='http://127.0.0.1/x.png'>")
        let result = try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
        #expect(result.format == "application/pdf")
        #expect(try await text(result) == ["small"])
        #expect(result.notices == ["http://127.0.0.1/x.png was left out: network access is not allowed"])
    }

    @Test(arguments: [
        ("file:///etc/hostname", Int32(64), "print a local file with"), ("ftp://127.0.0.1/", 64, "must begin with"),
        ("http://user:word@127.0.0.1/", 64, "credentials"), ("http://", 68, "check the address"),
        ("http://nothing.invalid/", 68, "was not found"),
    ])
    func `if an address is invalid or unreachable, the fetch fails with an exit code and an explanation`(
        address: String, code: Int32, words: String
    ) async throws {
        let run = try await fetch(address, "--allow-private")
        #expect(run.code == code)
        #expect(run.complaints.contains(words), "\(run.complaints)")
    }

    @Test func `at most five redirects are followed`() async throws {
        var pages: [String: WebServer.Page] = [
            "/0": .init(header: "Content-Type: text/plain", body: Array("end".utf8)),
            "/loop": .init(status: "302 Found", header: "Location: /loop"),
            "/file": .init(status: "302 Found", header: "Location: file:///etc/hostname"),
            "/gone": .init(status: "404 Not Found"),
        ]
        for number in 1...6 { pages["/\(number)"] = .init(status: "302 Found", header: "Location: \(number - 1)") }
        let server = try WebServer(pages)
        #expect(try await fetched("\(server.address)/5").format == "text/plain")
        for (path, code) in [("/6", Int32(76)), ("/loop", 76), ("/file", 64), ("/gone", 66)] {
            let run = try await fetch("\(server.address)\(path)", "--allow-private")
            #expect(run.code == code, "\(path): \(run.complaints)")
        }
    }

    @Test func `the fetch of a web page is refused if the IP address is not public`() async throws {
        let table: [String: Bool] = [
            "8.8.8.8": true, "1.1.1.1": true, "172.15.0.1": true, "172.32.0.1": true, "100.63.0.1": true,
            "2606:4700::1111": true, "2a00:1450::1": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,
            "0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "100.64.0.1": false, "100.127.255.255": false,
            "127.0.0.1": false, "127.255.0.1": false, "169.254.169.254": false, "172.16.0.1": false,
            "172.31.255.255": false, "192.0.0.1": false, "192.168.1.1": false, "198.18.0.1": false, "224.0.0.1": false,
            "239.1.1.1": false, "255.255.255.255": false, "240.0.0.1": false, "::": false, "::1": false,
            "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12:3456::1": false, "ff02::1": false,
            "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::7f00:1": false, "64:ff9b::7f00:1": false,
            "64:ff9b::a00:1": false, "2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false,
        ]
        try await expect(
            "print(json.dumps({address: is_public(address) for address in \(Array(table.keys))}))", prints: table)
    }

    /// The names of hosts are resolved by a function of the script, so that the test depends on no DNS server.
    @Test func `the IP address of each web connection is checked, regardless of the host name and of earlier lookups`()
        async throws
    {
        let server = try WebServer([:])
        let port = try #require(server.address.split(separator: ":").last)
        let script = """
            answers = {'local.example': ['127.0.0.1'], 'mapped.example': ['::ffff:127.0.0.1'], 'mixed.example': ['10.0.0.1', '127.0.0.1']}
            asked = []
            def resolve(host, port, **_):
                asked.append(host)
                return [(socket.AF_INET6 if ':' in a else socket.AF_INET, socket.SOCK_STREAM, 6, '', (a, port)) for a in answers[host]]
            socket.getaddrinfo = resolve
            results = {}
            class Answered(Web):
                def request(self, url):
                    if 'public' in url:
                        return Page(url, 302, {'Location': 'http://local.example:\(port)/redirected'}, b'')
                    return super().request(url)
            for host in ['local.example', 'mapped.example', 'mixed.example', 'public.example']:
                try:
                    Answered(limits(False)).load(f'http://{host}:\(port)/')
                    results[host] = 'loaded'
                except Unusable as error:
                    results[host] = error.code
            try:
                Answered(limits(True)).load('http://local.example:\(port)/allowed')
            except Unusable as error:
                results['allowed'] = error.code + str(error)
            print(json.dumps(results))
            """
        try await expect(
            script,
            prints: [
                "local.example": "private", "mapped.example": "private", "mixed.example": "private",
                "public.example": "private", "allowed": "status404",
            ])
        #expect(server.requests == ["/allowed"])
    }

    @Test func `a web page is fetched over TLS only if the server's certificate is trusted and matches the host name`()
        async throws
    {
        let certificate = try await ProgramRun(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ], environment: [:], in: folder.path)
        #expect(certificate.code == 0, "\(certificate.complaints)")
        let script = """
            import http.server, os, threading
            class Handler(http.server.BaseHTTPRequestHandler):
                def log_message(self, *_): pass
                def do_GET(self):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(b'x')
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain('cert.pem', 'key.pem')
            server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            def load(host):
                try:
                    return Web(limits(True)).load(f'https://{host}:{server.server_port}/').data.decode()
                except Unusable as error:
                    return error.code
            results = {'unknown': load('localhost')}
            os.environ['SSL_CERT_FILE'] = 'cert.pem'
            results.update({'known': load('localhost'), 'other name': load('127.0.0.1')})
            print(json.dumps(results))
            """
        try await expect(script, prints: ["unknown": "tls", "known": "x", "other name": "tls"])
    }

    /// Runs a Python script after the source of the fetcher.
    private func expect<Value: Decodable & Equatable>(_ script: String, prints expected: [String: Value]) async throws {
        let source =
            "import json\nclass Unusable(Exception):\n    def __init__(self, code, words=''):\n"
            + "        super().__init__(words)\n        self.code = code\nRefused = ValueError\n"
            + "def explained(error): return str(error)\n"
            + String(decoding: PackageResources.html_fetching_py, as: UTF8.self) + "\n"
            + "def limits(private): return dict(private=private, requests=10, bytes=1000, seconds=10)\n" + script + "\n"
        let path = folder.path("script.py")
        try Data(source.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        let engine = try #require(testEngine.installation)
        let run = try await ProgramRun(
            "\(engine)/bin/python", ["-I", "-B", path], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
        #expect(run.code == 0, "\(run.complaints)")
        #expect(try JSONDecoder().decode([String: Value].self, from: Data(run.output.utf8)) == expected)
    }
}
