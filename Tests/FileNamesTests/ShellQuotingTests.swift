import Foundation
import Testing

@testable import FileNames

@Suite("Quoting for a shell")
struct ShellQuotingTests {
  @Test(
    "words are quoted only if necessary",
    arguments: [
      ("/a/b.sqlite", "/a/b.sqlite"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"),
      ("$HOME", "'$HOME'"),
      ("a\nb", "$'a\\x0ab'"), ("ñ", "'ñ'"), ("-rf", "-rf"), ("a\u{202E}b", "$'a\\xe2\\x80\\xaeb'"),
      ("cafe\u{301} x", "$'cafe\\xcc\\x81 x'"),
    ])
  func quote(word: String, quoted: String) {
    #expect(ShellQuoting.quote(word) == quoted)
  }

  @Test("a shell reads the same bytes back, also a quote before a combining mark")
  func readBack() throws {
    for word in [
      "it'\u{301}s; echo x; '\u{301}", "cafe\u{301} x", "\u{301}'", "a\\'b\n\u{7F}", "$(id)'\u{338}$(id)",
    ] {
      for quoted in [ShellQuoting.quote(word), ShellQuoting.quote(escaping: Array(word.utf8))] {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", "printf %s \(quoted)"]
        shell.environment = ["LC_ALL": "C"]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        #expect(data == Data(word.utf8), "\(quoted)")
      }
    }
  }
}
