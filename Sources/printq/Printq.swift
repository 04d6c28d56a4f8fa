import ArgumentParser
@main struct Printq: AsyncParsableCommand {}
