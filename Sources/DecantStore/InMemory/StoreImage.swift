internal import DecantModel
internal import Foundation

/// The bytes of a small store's file, prepared for a database in memory.
package struct StoreImage: Sendable {
  private(set) var bytes: Data
  /// Whether the header's number of pages is valid: the change counter equals its copy (SQLite's file format, 1.3).
  private let countHolds: Bool

  /// Reads a file; a link isn't followed.
  ///
  /// - Parameter most: The largest accepted size in bytes.
  init?(readingFrom path: String, most: Int) {
    let descriptor = DiskRead.open(path, O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (512...Int64(most)).contains(Int64(status.st_size))
    else { return nil }
    let size = Int(status.st_size)
    // `Data(count:)` would fill the memory with zeros first.
    guard let memory = malloc(size) else { return nil }
    let data = Data(bytesNoCopy: memory, count: size, deallocator: .free)
    var done = 0
    while done < size {
      let count = DiskRead.read(descriptor, into: memory.advanced(by: done), count: size - done, of: path)
      guard count > 0 else { return nil }
      done += count
    }
    // SQLite refuses a read version above 2, and opens a write version above 2 only for reading. It wouldn't see these
    // numbers, because `mark` overwrites them.
    guard data[18] <= 2, data[19] <= 2 else { return nil }
    bytes = data
    countHolds = data[24..<28] == data[92..<96]
  }

  /// The header's fields on which compiled statements depend: page size, reserved bytes and payload fractions, schema
  /// format, auto-vacuum and text encoding.
  var form: [UInt8] {
    let parts: [Range<Int>] = [16..<18, 20..<24, 44..<48, 52..<60, 64..<68]
    return parts.flatMap { [UInt8](bytes[$0]) }
  }

  /// Changes the header for use in memory.
  ///
  /// The write-ahead mode is cleared, because there is no log.
  ///
  /// - Parameters:
  ///   - change: The new change counter, another number for each content.
  ///   - form: The new schema number, the same for equal forms.
  mutating func mark(change: UInt32, form: UInt32) {
    (bytes[18], bytes[19]) = (1, 1)
    put(change, at: 24)
    put(form, at: 40)
    put(countHolds ? change : change &+ 1, at: 92)
  }

  private mutating func put(_ number: UInt32, at offset: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(place))) }
  }
}
