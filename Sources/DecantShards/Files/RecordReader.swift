internal import Glibc

/// Reads the records of a file one after another; memory depends on the maximum length of a record.
struct RecordReader {
  enum Fault: Error {
    case system(Int32)
    /// The record with this number, counted from 1, is too long.
    case long(Int)
  }

  /// A record, and whether a separator ends it.
  ///
  /// Only the file's last record may lack the separator.
  struct Record {
    var bytes: [UInt8]
    var isEnded: Bool
  }

  private let descriptor: Int32
  private let separator: UInt8
  private let limit: Int
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var offset: off_t
  /// The number of records that were read or skipped.
  private(set) var count = 0
  /// Gets all bytes as they are read.
  private let observer: ((UnsafeRawBufferPointer) -> Void)?

  /// - Parameters:
  ///   - limit: The maximum length of a record, in bytes.
  ///   - offset: The offset of the first record, in bytes.
  init(
    _ descriptor: Int32, separator: UInt8, limit: Int, from offset: Int = 0,
    observer: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    self.descriptor = descriptor
    self.separator = separator
    self.limit = limit
    self.offset = off_t(offset)
    self.observer = observer
    buffer = [UInt8](repeating: 0, count: max(1 << 18, limit + 1))
  }

  /// The offset in the file after the last record that was read or skipped.
  var place: Int { Int(offset) - (end - start) }

  mutating func next() throws(Fault) -> Record? {
    var searched = start
    while true {
      if let found = found(from: searched) {
        defer { start = found + 1 }
        return try record(upTo: found, isEnded: true)
      }
      if end - start > limit { throw .long(count + 1) }
      let length = end - start
      let filled = try fill()
      searched = start + length
      guard filled else { break }
    }
    guard end > start else { return nil }
    defer { start = end }
    return try record(upTo: end, isEnded: false)
  }

  /// Skips the record that is too long.
  ///
  /// - Returns: False if the file ends before the record does.
  mutating func skip() throws(Fault) -> Bool {
    while true {
      if let found = found(from: start) {
        start = found + 1
        count += 1
        return true
      }
      start = end
      guard try fill() else { return false }
    }
  }

  private func found(from place: Int) -> Int? {
    guard place < end else { return nil }
    return buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let hit = memchr(base + place, Int32(separator), end - place) else {
        return nil
      }
      return hit - UnsafeMutableRawPointer(mutating: base)
    }
  }

  private mutating func record(upTo last: Int, isEnded: Bool) throws(Fault) -> Record {
    guard last - start <= limit else { throw .long(count + 1) }
    count += 1
    return Record(bytes: Array(buffer[start..<last]), isEnded: isEnded)
  }

  /// Reads more bytes; false at the end of the file.
  private mutating func fill() throws(Fault) -> Bool {
    if start > 0 {
      buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        memmove(base, base + start, end - start)
      }
      end -= start
      start = 0
    }
    let room = buffer.count - end
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress.map { $0 + end }, room, offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      guard count > 0 else { return false }
      let begin = end
      buffer.withUnsafeBytes { observer?(UnsafeRawBufferPointer(rebasing: $0[begin..<(begin + count)])) }
      end += count
      offset += off_t(count)
      return true
    }
  }
}
