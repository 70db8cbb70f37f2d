internal import DecantWorker
package import Foundation

package enum LedgerRecord: Sendable {
  case run(LedgerHead)
  case store(LedgerLine)
  /// The run with this start has settled all stores of its shard.
  case end(started: String)

  /// The maximum length of a line, in bytes.
  static let limit = 1 << 20
  /// How the line of a run begins; no line of a store begins like this.
  static let runStart = Array(#"{"run":"#.utf8)

  private static let endStart = Array(#"{"end":"#.utf8)

  private struct Run: Codable {
    var run: LedgerHead
  }

  private struct End: Codable {
    struct Content: Codable {
      var started: String
    }
    var end: Content
  }

  /// Reads a line; `nil` if it isn't a line of a ledger.
  package init?(_ line: [UInt8]) {
    if line.starts(with: Self.runStart) {
      guard let run = try? JSONLine.decode(Run.self, from: Data(line)) else { return nil }
      self = .run(run.run)
    } else if line.starts(with: Self.endStart) {
      guard let end = try? JSONLine.decode(End.self, from: Data(line)) else { return nil }
      self = .end(started: end.end.started)
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
    case .end(let started): try JSONLine.encode(End(end: .init(started: started)))
    }
  }
}
