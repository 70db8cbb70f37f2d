internal import DecantModel
internal import Foundation

/// Reads the list of a quarantine, with one line for each object.
enum AsideList {
  struct Entry: Decodable {
    var entity: String
    var key: Int
    var sources: [String]
    /// By relationship, the objects of the delivered store to which the object referred.
    var links: [String: [String]]?
  }

  /// The largest size of a line in bytes; longer lines are skipped.
  private static let maximumLine = 1 << 28

  /// Calls the body with one entry after the other; malformed lines, or a file that can't be opened, give
  /// no entry.
  static func read(_ path: String, _ body: (Entry) throws -> Void) throws {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else { return }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let decoder = JSONDecoder()
    var line = Data()
    func take() throws {
      defer { line.removeAll(keepingCapacity: true) }
      while let last = line.last, last == 0x2C || last == 0x0D || last == 0x20 { line.removeLast() }
      guard line.first == 0x7B, let entry = try? decoder.decode(Entry.self, from: line) else { return }
      try body(entry)
    }
    while let part = try handle.read(upToCount: 1 << 18), !part.isEmpty {
      var rest = part[...]
      while let end = rest.firstIndex(of: 0x0A) {
        line.append(rest[..<end])
        try take()
        rest = rest[rest.index(after: end)...]
      }
      line.append(rest)
      if line.count > maximumLine { line.removeAll() }
    }
    try take()
  }

  /// The entity and key in `x-coredata://UUID/Entity/p1`; `nil` for a text of another form.
  static func object(_ uri: String) -> (entity: String, key: Int64)? {
    let parts = uri.split(separator: "/")
    guard parts.count >= 2, let last = parts.last, last.first == "p", let key = Int64(last.dropFirst()) else {
      return nil
    }
    return (String(parts[parts.count - 2]), key)
  }
}
