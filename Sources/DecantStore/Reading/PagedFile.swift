internal import DecantModel
internal import Foundation

/// A database file as pages, with the facts in its header about them (SQLite's file format, 1.3).
///
/// The bytes of a small file may be in memory.
struct PagedFile: ~Copyable {
  let path: String
  let pageSize: Int
  /// The number of bytes of a page without those that are reserved at its end.
  let usable: Int
  let pageCount: Int
  let firstFree: Int
  let freePages: Int
  /// The largest root page if the file has pointer maps; 0 if it has none.
  let largestRoot: Int
  private let content: Content
  /// The place of the next byte that is read from memory.
  private var place = 0

  private enum Content {
    case file(Int32)
    case memory(Data)
  }

  /// The largest number of pages of a file that is read this way; each page needs about 20 bytes of memory.
  private static let mostPages = 1 << 19

  /// Opens a file.
  ///
  /// - Returns: `nil` for a file with too many pages, and for a header that is irregular or states another size.
  static func open(_ path: String) throws(StoreError) -> PagedFile? {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else { throw FileCopy.failure(path, "read") }
    let header = UnsafeMutablePointer<UInt8>.allocate(capacity: 100)
    header.initialize(repeating: 0, count: 100)
    defer { header.deallocate() }
    let count = DiskRead.read(descriptor, into: header, count: 100, of: path)
    let failure = count < 0 ? FileCopy.failure(path, "read") : nil
    let file = PagedFile(path, .file(descriptor), PageBytes(UnsafePointer(header)))
    if let failure { throw failure }
    guard count == 100, file.isRegular(PageBytes(UnsafePointer(header))) else { return nil }
    return file
  }

  /// Takes the bytes of a file.
  static func open(_ path: String, holding bytes: Data) -> PagedFile? {
    let header = UnsafeMutablePointer<UInt8>.allocate(capacity: 100)
    header.initialize(repeating: 0, count: 100)
    defer { header.deallocate() }
    bytes.copyBytes(to: header, count: min(100, bytes.count))
    let file = PagedFile(path, .memory(bytes), PageBytes(UnsafePointer(header)))
    guard bytes.count >= 100, file.isRegular(PageBytes(UnsafePointer(header))) else { return nil }
    return file
  }

  private init(_ path: String, _ content: Content, _ header: PageBytes) {
    self.path = path
    self.content = content
    pageSize = header.short(16) == 1 ? 65_536 : header.short(16)
    usable = pageSize - header[20]
    pageCount = header.word(28)
    firstFree = header.word(32)
    freePages = header.word(36)
    largestRoot = header.word(52)
  }

  private func isRegular(_ header: PageBytes) -> Bool {
    return pageSize >= 512 && pageSize & (pageSize - 1) == 0 && usable >= 480
      && pageCount > 0 && pageCount <= Self.mostPages && pageCount * pageSize == size
      // If these differ, the number of pages isn't valid.
      && header.word(24) == header.word(92)
      // SQLite accepts only these fractions of a page.
      && header[21] == 64 && header[22] == 32 && header[23] == 32
      && (largestRoot > 0 || header.word(64) == 0)
  }

  deinit { if case .file(let descriptor) = content { close(descriptor) } }

  /// The file's size in bytes; `nil` if the system doesn't give it.
  private var size: Int? {
    switch content {
    case .file(let descriptor):
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    case .memory(let bytes): return bytes.count
    }
  }

  /// The page that SQLite uses only for locks.
  var lockPage: Int { (1 << 30) / pageSize + 1 }

  /// The page of the pointer map that has a page's entry.
  ///
  /// A page of the pointer map gives itself.
  func mapPage(of page: Int) -> Int {
    let pages = usable / 5 + 1
    let map = (page - 2) / pages * pages + 2
    return map == lockPage ? map + 1 : map
  }

  mutating func read(_ page: Int, into memory: UnsafeMutablePointer<UInt8>) throws(StoreError) {
    try seek(to: (page - 1) * pageSize)
    guard try fill(memory, pageSize) == pageSize else {
      throw .truncated(path: path, expected: page * pageSize, actual: (page - 1) * pageSize)
    }
  }

  /// Prepares to read the whole file from its start.
  mutating func rewind() throws(StoreError) {
    if case .file(let descriptor) = content {
      _ = posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    }
    try seek(to: 0)
  }

  private mutating func seek(to place: Int) throws(StoreError) {
    switch content {
    case .file(let descriptor):
      guard lseek(descriptor, off_t(place), SEEK_SET) >= 0 else { throw FileCopy.failure(path, "read") }
    case .memory: self.place = place
    }
  }

  /// Reads the next bytes.
  ///
  /// - Returns: The number of bytes read, which is less than `count` only at the end of the file.
  mutating func fill(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) throws(StoreError) -> Int {
    switch content {
    case .file(let descriptor):
      var done = 0
      while done < count {
        let part = DiskRead.read(descriptor, into: memory + done, count: count - done, of: path)
        guard part >= 0 else { throw FileCopy.failure(path, "read") }
        if part == 0 { break }
        done += part
      }
      return done
    case .memory(let bytes):
      let end = min(bytes.count, place + count)
      guard place < end else { return 0 }
      bytes.copyBytes(to: memory, from: bytes.startIndex + place..<bytes.startIndex + end)
      defer { place = end }
      return end - place
    }
  }
}
