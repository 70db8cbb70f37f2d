/// An HTTP/1 answer, with the parts that `decantd` uses.
struct HTTPAnswer: Sendable, Hashable {
  /// Why bytes aren't a whole answer.
  enum Fault: Error, Sendable, Hashable {
    /// The bytes aren't HTTP, or not as `decantd` uses it.
    case nonsense
    /// The connection ended before the answer did.
    case cut
  }

  let code: Int
  let body: [UInt8]

  /// Reads the bytes of a connection that has ended.
  init(_ bytes: [UInt8]) throws(Fault) {
    let prefix = Array("HTTP/1.".utf8)
    guard bytes.prefix(prefix.count).elementsEqual(prefix.prefix(bytes.count)) else { throw .nonsense }
    guard let end = Self.endOfHead(bytes) else { throw .cut }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count > 1, words[1].utf8.count == 3, let code = Int(words[1]) else { throw .nonsense }
    let body = Array(bytes[(end + 4)...])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .nonsense }
      let value = parts[1].drop { $0 == " " }
      switch parts[0].lowercased() {
      case "content-length":
        guard let length = Int(value), length >= body.count else { throw .nonsense }
        guard length == body.count else { throw .cut }
      // The daemon sends only bodies of a known length.
      case "transfer-encoding": throw .nonsense
      default: break
      }
    }
    self.code = code
    self.body = body
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard bytes.count >= mark.count else { return nil }
    return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
  }
}
