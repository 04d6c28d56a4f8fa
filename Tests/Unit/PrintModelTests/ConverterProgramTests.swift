import Testing

@testable import PrintModel

/// Tests of the command lines of converter programs.
struct ConverterProgramTests {
    @Test func `a placeholder in the arguments of a converter is replaced with a path, even within an argument`() {
        let program = ConverterProgram(
            name: "x", arguments: ["/usr/bin/x", "--from={input}", "{output}", "{input}{output}", "{other}"])
        #expect(
            program.arguments(input: "/a {output}", output: "/b {input}") == [
                "/usr/bin/x", "--from=/a {output}", "/b {input}", "/a {output}/b {input}", "{other}",
            ])
    }

    @Test(arguments: [
        ("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1", true), ("%!PS-Adobe-2.0 EPSF-1.2\r\n", true),
        ("%!PS-Adobe-3.0\n% EPSF-3.0", false), ("%!PS\n", false), ("%!PS EPSF-3.0\n", false), ("", false),
    ])
    func `an EPS file is recognized by its first line`(text: String, isEncapsulated: Bool) {
        #expect(ConverterProgram.isEncapsulated(head: Array(text.utf8)) == isEncapsulated)
    }

    @Test func `an EPS file with a DOS binary header is recognized`() {
        #expect(ConverterProgram.isEncapsulated(head: [0xC5, 0xD0, 0xD3, 0xC6, 30, 0, 0, 0]))
    }

    @Test(arguments: [
        (Size(width: 842, height: 595), "595", "842"), (Size(width: 0, height: 1e300), "3", "14400"),
        (Size(width: .nan, height: .infinity), "3", "3"),
    ])
    func `the Ghostscript arguments contain the portrait page size`(size: Size, width: String, height: String) throws {
        let program = try #require(ConverterProgram(.postScript, pageSize: size))
        #expect(program.arguments.contains("-dDEVICEWIDTHPOINTS=\(width)"))
        #expect(program.arguments.contains("-dDEVICEHEIGHTPOINTS=\(height)"))
        #expect(!program.arguments.contains("-dEPSCrop") && program.arguments.contains("-dSAFER"))
    }

    @Test func `a registered converter has a converter program, unlike the page, text, HTML and Office converters`() {
        let size = Size(width: 595, height: 842)
        let registered = ConverterProgram(name: "x", arguments: ["/usr/bin/x"])
        #expect(ConverterProgram(.program(registered), pageSize: size) == registered)
        for converter in [DocumentConverter.pages, .text, .html, .office] {
            #expect(ConverterProgram(converter, pageSize: size) == nil)
            #expect(converter.programPath == nil)
        }
    }
}
