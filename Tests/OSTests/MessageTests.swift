import Foundation
import Testing

@testable import os

@Suite("Messages of the module os")
struct MessageTests {
  private enum Fault: Error { case broken }

  private func text(_ message: OSLogMessage, showsPrivate: Bool = false) -> String {
    message.text(showsPrivate: showsPrivate)
  }

  @Test("numbers, Booleans and types are public; strings, objects and errors are private")
  func defaults() {
    let name = "Ana"
    let object: NSString = "obj"
    let fault: any Error = Fault.broken
    #expect(
      text("\(3) \(UInt8(4)) \(2.5) \(Float(0.5)) \(true) \(Int.self)") == "3 4 2.500000 0.500000 true Int")
    #expect(
      text("\(name) \(object) \(fault) \([1, 2]) \(URL(fileURLWithPath: "/a"))")
        == "<private> <private> <private> <private> <private>")
    #expect(
      text("\(name, privacy: .public) \(object, privacy: .public) \(fault, privacy: .public)")
        == "Ana obj broken")
    #expect(text("\(7, privacy: .private) \(7, privacy: .sensitive)") == "<private> <sensitive>")
    #expect(text("\(name) \(name, privacy: .sensitive)", showsPrivate: true) == "Ana <sensitive>")
  }

  @Test("a mask hides values, and equal values have the same mask")
  func masks() {
    let (ana, eva) = ("Ana", "Eva")
    let first = text("\(ana, privacy: .private(mask: .hash))")
    #expect(first.hasPrefix("<mask.hash: '") && !first.contains("Ana"))
    #expect(first == text("\(ana, privacy: .auto(mask: .hash))"))
    #expect(first != text("\(eva, privacy: .private(mask: .hash))"))
  }

  @Test("formats and columns are written")
  func formats() {
    let (small, negative) = (5, -2)
    #expect(
      text("\(small, format: .decimal(minDigits: 3)) \(small, format: .decimal(explicitPositiveSign: true))")
        == "005 +5")
    #expect(
      text("\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true))") == "ff 0xFF")
    #expect(text("\(Int8(-1), format: .hex) \(negative, format: .decimal) \(8, format: .octal)") == "ff -2 10")
    #expect(
      text("\(3.14159, format: .fixed(precision: 2)) \(1500.0, format: .exponential(precision: 1))")
        == "3.14 1.5e+03")
    #expect(text("\(0.5, format: .hybrid) \(true, format: .answer)") == "0.5 YES")
    #expect(
      text("[\(small, align: .right(columns: 3))] [\("a", align: .left(columns: 3), privacy: .public)]")
        == "[  5] [a  ]")
    #expect(text("\(ENOENT, format: .darwinErrno)") == "[2: No such file or directory]")
  }

  @Test("the values of a message that isn't written aren't computed")
  func lazy() {
    func costly() -> Int {
      Issue.record("It was computed.")
      return 0
    }
    Logger(.disabled).fault("\(costly())")
  }

  @Test("control characters in values are escaped, and a line's length is limited")
  func lines() {
    #expect(
      LogLine.text(of: .info, source: "a\n:b", "x\r\ny\t\u{1B}[2J\u{202E}\u{2028}é")
        == #"[a\n:b] info: x\r\ny\t\u{1b}[2J\u{202e}\u{2028}é"#)
    let long = LogLine.text(of: .info, source: "", String(repeating: "é", count: 100_000))
    #expect(long.utf8.count <= LogLine.limit && long.hasSuffix("é…"))
  }

  @Test("levels are enabled as the settings say")
  func levels() {
    #expect(OSLog(subsystem: "a", category: "b").isEnabled(type: .info))
    #expect(!OSLog.disabled.isEnabled(type: .fault))
    #expect(LogLevel(OSLogType.default) == .notice)
    #expect(LogSettings(["OS_ACTIVITY_MODE": "debug"]).writes(.trace))
    #expect(!LogSettings([:]).writes(.debug))
  }
}
