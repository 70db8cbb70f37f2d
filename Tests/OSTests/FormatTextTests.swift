import Foundation
import Testing

@testable import os

@Suite("C formats in os_log")
struct FormatTextTests {
  private func text(_ format: String, _ arguments: Any?...) -> String {
    FormatText.of(format, arguments, errorNumber: ENOENT, showsPrivate: false)
  }

  @Test("numbers are written in all conversions")
  func numbers() {
    #expect(text("%d %ld %lld %i", 1, -2, Int64.min, Int32(4)) == "1 -2 -9223372036854775808 4")
    #expect(text("%u %lu %x %X %o", UInt.max, 2, 255, 255, 8) == "18446744073709551615 2 ff FF 10")
    #expect(text("%x %u", Int32(-1), Int8(-1)) == "ffffffff 255")
    #expect(text("%05d|%-5d|%+d|%5.3d", 42, 42, 42, 7) == "00042|42   |+42|  007")
    #expect(text("%.2f %e %g %f", 3.14159, 1500.0, 0.5, 2) == "3.14 1.500000e+03 0.5 2.000000")
    #expect(text("%*d %.*f", 4, 7, 1, 2.55) == "   7 2.5" || text("%*d %.*f", 4, 7, 1, 2.55) == "   7 2.6")
    #expect(text("%c %p", 65, 255) == "A 0xff")
    #expect(text("%d", NSNumber(value: 9)) == "9")
  }

  @Test("strings are private unless they are public; numbers can be made private")
  func privacy() {
    #expect(text("%@ %s", "a", "b") == "<private> <private>")
    #expect(text("%{public}@ %{public}s %{public}@", "a", "b", NSNumber(value: 3)) == "a b 3")
    #expect(text("%{private}d %{sensitive}@", 1, "x") == "<private> <sensitive>")
    #expect(text("%d", "text for a number") == "<private>")
    #expect(text("%{public}@", nil) == "(null)")
    #expect(text("%{public, mask.hash}@", "a") == "a")
    #expect("ab".withCString { text("%{public}.1s|%{public}4s", $0, "x") } == "a|   x")
  }

  @Test("options such as bool and darwin.errno write a number as a text")
  func words() {
    #expect(text("%{bool}d %{BOOL}d %{darwin.errno}d", 1, 0, 2) == "true NO [2: No such file or directory]")
    #expect(text("%{public}@ %m", true, 0) == "1 No such file or directory")
  }

  @Test("formats that don't fit their arguments are written as far as possible")
  func misfits() {
    #expect(text("%d %d", 1) == "1 <no argument>")
    #expect(text("100 %% %y %", 1) == "100 % %y %")
    #expect(text("%{public", 1) == "%{public")
    #expect(text("%99999999999999999999d", 1).count == LogLine.limit)
    #expect(text("none", 1, 2) == "none")
  }

  @Test("the forms of calls in apps compile")
  func calls() {
    let log = OSLog.disabled
    let name = "x"
    os_log("plain", log: log)
    os_log("with %{public}@ and %d", log: log, type: .error, name, 3)
    os_log(.info, log: log, "text \(name, privacy: .public)")
    os_log(.error, log: log, "format %d", 3)
    os_signpost(.begin, log: log, name: "Step", signpostID: OSSignpostID(log: log), "%d", 3)
    os_signpost(.end, log: log, name: "Step")
    let poster = OSSignposter(subsystem: "a", category: "b")
    let state = poster.beginInterval("Step", id: poster.makeSignpostID(), "text \(name)")
    poster.endInterval("Step", state)
    #expect(poster.withIntervalSignpost("Step") { 4 } == 4)
  }
}
