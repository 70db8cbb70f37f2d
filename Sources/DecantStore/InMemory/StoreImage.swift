internal import DecantModel
internal import Foundation

/// The bytes of a small store's file, prepared for a database in memory.
package struct StoreImage: Sendable {
  private(set) var bytes: Data
  /// Whether the header's count of pages holds: the change counter and its repetition agree (SQLite's file format, 1.3).
  private let countHolds: Bool

  /// Reads a file; `nil` if it isn't a regular file, too large, or is shorter than a page.
  init?(readingFrom path: String, most: Int) {
    let descriptor = DiskRead.open(path, O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (512...Int64(most)).contains(Int64(status.st_size))
    else { return nil }
    let size = Int(status.st_size)
    // The memory isn't filled with zeros first.
    guard let memory = malloc(size) else { return nil }
    let data = Data(bytesNoCopy: memory, count: size, deallocator: .free)
    var done = 0
    while done < size {
      let count = DiskRead.read(descriptor, into: memory.advanced(by: done), count: size - done, of: path)
      guard count > 0 else { return nil }
      done += count
    }
    // SQLite refuses other forms itself; the marks written here would hide them.
    guard data[18] <= 2, data[19] <= 2 else { return nil }
    bytes = data
    countHolds = data[24..<28] == data[92..<96]
  }

  /// The facts besides the schema that SQLite depends on: page sizes, form, and encoding.
  var form: [UInt8] {
    let parts: [Range<Int>] = [16..<18, 20..<24, 44..<48, 52..<60, 64..<68]
    return parts.flatMap { [UInt8](bytes[$0]) }
  }

  /// Marks the bytes for use in memory.
  ///
  /// The content gets a number of its own, and the schema the number of its form. The write-ahead mode is cleared,
  /// because there is no log.
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
