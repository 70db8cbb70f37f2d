import DecantTestSupport
import Foundation
import Testing

@Suite("Lines of the module os on standard error")
struct LogSampleTests {
  private static let program = Repository.programs.appendingPathComponent("log-sample")

  private func process(_ arguments: [String] = [], _ environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private func lines(_ environment: [String: String] = [:]) throws -> [String] {
    let process = process([], environment)
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let text = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("a line has subsystem, category, level and text; private values are hidden and newlines escaped")
  func normal() throws {
    #expect(
      try lines() == [
        "[org.example.notas:migration] info: Migrating /stores/Notas.sqlite took 0.12",
        "[org.example.notas:migration] error: Secret: <private>",
        #"[a:b] fault: Step one\ntwo of 3"#,
      ])
  }

  @Test("the environment turns on debug lines or private values, or turns off all lines")
  func environment() throws {
    let debugging = try lines(["OS_ACTIVITY_MODE": "debug"])
    #expect(debugging.contains("[org.example.notas:migration] debug: Only on request"))
    let open = try lines(["DECANT_LOG_PRIVATE": "1"])
    #expect(open.contains("[org.example.notas:migration] error: Secret: /stores/Notas.sqlite"))
    #expect(try lines(["OS_ACTIVITY_MODE": "disable"]).isEmpty)
  }

  @Test("a pipe that isn't read doesn't stop the program, and a later line tells the number of dropped ones")
  func full() throws {
    let process = process(["many"])
    let (input, output, messages) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    // The program comes so far although standard error hasn't been read.
    #expect(output.fileHandleForReading.availableData == Data("done\n".utf8))
    var data = messages.fileHandleForReading.availableData
    try input.fileHandleForWriting.close()
    data += try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let start = "[org.example.notas:migration] info: "
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    let kept = lines.count - 2
    try #require(kept > 0 && kept < 20_000)
    #expect(
      lines.prefix(kept) == (0..<kept).map { "\(start)Line \($0) \(String(repeating: "x", count: 40))" }[...])
    #expect(
      lines.suffix(2) == [
        "os: \(20_000 - kept) lines were dropped, because standard error wasn't read.", "\(start)Last line",
      ])
  }

  @Test("a pipe without a reader doesn't end the program")
  func noReader() throws {
    let process = process(["many"])
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    try messages.fileHandleForReading.close()
    #expect(try output.fileHandleForReading.readToEnd() == Data("done\n".utf8))
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test(
    "a closed or a full standard error doesn't stop the program", arguments: ["-", "/dev/full"])
  func closed(target: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \"$1\" 2>\(target == "-" ? "&-" : target)", "sh", Self.program.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(try output.fileHandleForReading.readToEnd() == Data("done\n".utf8))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
