internal import Foundation

/// The data that policies got last, with their meaning.
struct GivenData: Sendable {
  enum Meaning: Sendable {
    /// Stored bytes that can't be read, taken as Data while an earlier object was migrated.
    case storedEarlier
    /// Stored bytes that can't be read.
    case stored
    /// A value, although it looks like an archive.
    case value
  }

  /// Two hashes of all bytes, with the process's random key.
  private struct Digest: Hashable, Sendable {
    let parts: [Int]

    init(_ data: Data) {
      parts = [1, 2].map { (part: Int) in
        var hasher = Hasher()
        hasher.combine(part)
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
      }
    }
  }

  let limit: Int
  /// The number of the object that is being migrated.
  var turn = 0
  private var meanings: [Digest: (meaning: Meaning, turn: Int)] = [:]
  /// The digests in the order in which they came; the oldest digest is at `next` when the list is full.
  private var order: [Digest] = []
  private var next = 0
  private var forgotten: Set<Meaning> = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func remember(_ data: Data, _ meaning: Meaning) {
    let digest = Digest(data)
    if meanings.updateValue((meaning, turn), forKey: digest) != nil { return }
    guard order.count == limit else { return order.append(digest) }
    if let old = meanings.removeValue(forKey: order[next]) { forgotten.insert(old.meaning) }
    order[next] = digest
    next = (next + 1) % limit
  }

  func meaning(of data: Data) -> Meaning? {
    guard !meanings.isEmpty, let known = meanings[Digest(data)] else { return nil }
    return known.meaning == .stored && known.turn != turn ? .storedEarlier : known.meaning
  }

  func hasForgotten(_ meaning: Meaning) -> Bool { forgotten.contains(meaning) }
}
