internal import CSQLite
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The bytes of a file from front to back, a piece of it in memory at a time.
final class XMLByteSource {
  private static let pieceSize = 1 << 18

  let path: String
  private let descriptor: Int32
  private var piece: [UInt8]
  private var position = 0
  private var end = 0
  /// Line ends before the piece.
  private var linesBefore = 0
  private let pulse: () -> Bool

  /// - Parameter pulse: Asked with each piece; false ends the reading.
  init(_ path: String, pulse: @escaping () -> Bool) throws(StoreError) {
    self.path = path
    self.pulse = pulse
    piece = [UInt8](repeating: 0, count: Self.pieceSize)
    descriptor = DiskRead.open(path, O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notARegularFile(path: path)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The line of the next byte, from 1.
  var line: Int { linesBefore + piece[0..<position].count { $0 == 0x0a } + 1 }

  /// The next byte, which stays; `nil` at the end.
  func peek() throws(StoreError) -> UInt8? {
    if position == end { try fill() }
    return position < end ? piece[position] : nil
  }

  /// The next byte; `nil` at the end.
  func take() throws(StoreError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    return byte
  }

  /// Steps over a byte that was looked at.
  func advance() { position = min(position + 1, end) }

  /// Adds what is left of the piece up to the first byte that has a meaning in text: `<`, `&`, a control character.
  func collectPlain(into text: inout [UInt8]) {
    let start = position
    let stop = piece.withUnsafeBufferPointer { bytes in
      var place = start
      while place < end {
        let byte = bytes[place]
        if byte == 0x3c || byte == 0x26 || (byte < 0x20 && byte != 0x0a && byte != 0x09) { break }
        place += 1
      }
      return place
    }
    text += piece[start..<stop]
    position = stop
  }

  private func fill() throws(StoreError) {
    linesBefore += piece[0..<end].count { $0 == 0x0a }
    (position, end) = (0, 0)
    guard pulse() else {
      var error = SQLiteError(
        code: SQLITE_INTERRUPT, message: "interrupted", statement: nil, path: path)
      error.interruption = .request
      throw .sqlite(error)
    }
    while true {
      let count = piece.withUnsafeMutableBytes {
        DiskRead.read(descriptor, into: $0.baseAddress, count: $0.count, of: path)
      }
      guard count >= 0 else { throw .unreadable(path, errno) }
      end = count
      return
    }
  }
}
