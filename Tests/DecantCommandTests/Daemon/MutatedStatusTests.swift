import Foundation
import Testing

@testable import DecantCommand

/// Answers that no daemon gives normally: another program listens on the socket, or the daemon's clock was set back.
@Suite("Odd numbers in a daemon's status")
struct MutatedStatusTests {
  private static let extremes = [
    "-9223372036854775808", "9223372036854775807", "-1", "0", "-7200.25", "1e308", "-1e308", "0.000001",
    "18446744073709551616",
    "1e999", "null", "\"text\"",
  ]

  /// The ranges of the numbers that are values in the JSON.
  private static let numbers = SampleStatus.json.matches(of: /": (-?[0-9][0-9.]*)/).map(\.1).map {
    $0.startIndex..<$0.endIndex
  }

  @Test("the screens are drawn with any number in any place", arguments: extremes)
  func drawn(_ number: String) throws {
    #expect(Self.numbers.count > 40)
    var drawn = 0
    for place in Self.numbers {
      let text = SampleStatus.json.replacingCharacters(in: place, with: number)
      // With a value of a wrong type, the text isn't a status.
      guard let status = try? JSONDecoder().decode(DaemonStatus.self, from: Data(text.utf8)) else { continue }
      let lines = StatusText(status, width: 80).lines + (StatusText(status, width: 80).lines(of: "J-7") ?? [])
      drawn += 1
      #expect(!lines.isEmpty)
      let screen = TopScreen(status, width: 80, height: 24).lines.map(\.text) + TopReport(status).lines
      #expect(!screen.contains { $0.contains { $0.isNewline } })
      // No line shows a negative time.
      for line in lines + screen { #expect(line.firstMatch(of: /-[0-9.]+ (s|min|h)\b/) == nil, "\(line)") }
    }
    #expect(drawn > 0, "\(number)")
  }
}
