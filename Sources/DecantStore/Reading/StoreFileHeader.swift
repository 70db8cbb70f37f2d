internal import DecantModel
internal import Foundation

/// The first 100 bytes of an SQLite file, which are checked before SQLite opens it.
package struct StoreFileHeader {
  static let magic = Array("SQLite format 3\u{0}".utf8)

  let pageSize: Int
  /// The number of pages in the header; `nil` if it isn't valid, because an old SQLite library was the last to write.
  let pageCount: Int?
  let usesWriteAheadLog: Bool
  /// Why a step can't change a copy of the file, because its SQLite settings differ from Core Data's; `nil` if it can.
  ///
  /// The text is the end of a sentence.
  package let alterationObstacle: String?
  /// The file's size in bytes.
  let size: Int

  /// Reads and checks a file's first page.
  init(readingFrom path: String) throws(StoreError) {
    let (first, size) = try Self.firstPage(of: path)
    guard size > 0 else { throw .empty(path: path) }
    guard first.starts(with: Self.magic) else { throw Self.judge(first, path: path) }
    guard first.count >= 100 else { throw .truncated(path: path, expected: 512, actual: size) }
    func number(at offset: Int, bytes: Int) -> Int {
      first[offset..<(offset + bytes)].reduce(0) { $0 << 8 | Int($1) }
    }
    let raw = number(at: 16, bytes: 2)
    pageSize = raw == 1 ? 65_536 : raw
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
      throw .damaged(path: path, findings: ["the header gives a page size of \(raw)"])
    }
    let count = number(at: 28, bytes: 4)
    pageCount = count > 0 && number(at: 24, bytes: 4) == number(at: 92, bytes: 4) ? count : nil
    usesWriteAheadLog = first[18] == 2
    alterationObstacle =
      if pageSize != 4096 {
        "the store's pages have \(pageSize) bytes and not 4096"
      } else if number(at: 52, bytes: 4) == 0 || number(at: 64, bytes: 4) == 0 {
        "the store doesn't use incremental auto-vacuum"
      } else if number(at: 44, bytes: 4) != 4 {
        "the store has the schema format \(number(at: 44, bytes: 4)) of SQLite and not 4"
      } else if first[20] != 0 {
        "the store's pages have reserved bytes"
      } else {
        nil
      }
    self.size = size
    // The text encoding: 1 is UTF-8, and a file without tables has 0.
    guard number(at: 56, bytes: 4) <= 1 else { throw .notCoreData(path: path, missing: "text in UTF-8") }
  }

  /// Compares the header's page count with the file's size.
  ///
  /// A log or journal may hold the missing pages. So it must be folded into the file before this check.
  func checkSize(path: String) throws(StoreError) {
    if let pageCount, pageCount * pageSize > size {
      throw .truncated(path: path, expected: pageCount * pageSize, actual: size)
    }
  }

  private static func firstPage(of path: String) throws(StoreError) -> (bytes: [UInt8], size: Int) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .noSuchFile(path: path) : .unreadable(path, errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(path: path) }
    let descriptor = DiskRead.open(path, O_NOFOLLOW)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes {
      DiskRead.read(descriptor, into: $0.baseAddress, count: $0.count, of: path)
    }
    guard count >= 0 else { throw .unreadable(path, errno) }
    return (Array(bytes.prefix(count)), Int(status.st_size))
  }

  /// Whether a file begins like XML, in UTF-8 or UTF-16.
  package static func isXML(_ path: String) throws(StoreError) -> Bool { isXML(try firstPage(of: path).bytes) }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    let wide: [[UInt8]] = [
      [0xff, 0xfe, 0x3c, 0], [0xfe, 0xff, 0, 0x3c], [0x3c, 0, 0x3f, 0], [0, 0x3c, 0, 0x3f],
    ]
    if wide.contains(where: { bytes.starts(with: $0) }) { return true }
    let start = String(decoding: bytes.prefix(256), as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\u{feff} \n\r\t"))
    return ["<?xml", "<!DOCTYPE", "<!--", "<database"].contains { start.hasPrefix($0) }
  }

  private static func judge(_ bytes: [UInt8], path: String) -> StoreError {
    if isXML(bytes) { return .xmlStore(path: path) }
    if bytes.starts(with: Array("bplist".utf8)) { return .binaryStore(path: path) }
    return bytes.count >= 512 && entropy(bytes) > 7.0 ? .probablyEncrypted(path: path) : .notSQLite(path: path)
  }

  /// The entropy in bits per byte; a page of random bytes is above 7.
  private static func entropy(_ bytes: [UInt8]) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    return counts.filter { $0 > 0 }.reduce(0) { sum, count in
      let share = Double(count) / Double(bytes.count)
      return sum - share * log2(share)
    }
  }
}
