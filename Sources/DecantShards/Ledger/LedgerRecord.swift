internal import DecantWorker
package import Foundation

/// A line of a ledger.
package enum LedgerRecord: Sendable {
  case run(LedgerHead)
  case store(LedgerLine)

  /// The longest line in bytes.
  static let limit = 1 << 20
  /// How the line of a run begins; no line of a store does.
  static let runStart = Array(#"{"run":"#.utf8)

  private struct Run: Codable {
    var run: LedgerHead
  }

  /// Reads a line; `nil` if it is none of a ledger.
  package init?(_ line: [UInt8]) {
    if line.starts(with: Self.runStart) {
      guard let run = try? JSONLine.decode(Run.self, from: Data(line)) else { return nil }
      self = .run(run.run)
    } else {
      guard let store = try? JSONLine.decode(LedgerLine.self, from: Data(line)) else { return nil }
      self = .store(store)
    }
  }

  /// The line with its newline.
  package func encoded() throws -> Data {
    switch self {
    case .run(let head): try JSONLine.encode(Run(run: head))
    case .store(let line): try JSONLine.encode(line)
    }
  }
}
