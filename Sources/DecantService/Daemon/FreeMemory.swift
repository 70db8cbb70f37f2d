internal import CLinux
internal import Glibc

/// Returns memory to the system: freed memory, and the pages of code, because much code runs only at the start.
///
/// Without this, the daemon would stay as large as it was under its highest load.
enum FreeMemory {
  /// Lets all threads share two memory pools.
  ///
  /// Call this function before there is a second thread.
  static func keepTogether() { decant_limit_memory_pools(2) }

  /// Returns the memory; takes some milliseconds.
  static func giveBack() {
    decant_give_memory_back()
    // If the code runs again, its pages come back from the page cache.
    for range in mappedCode() { madvise(range.baseAddress, range.count, MADV_DONTNEED) }
  }

  /// The mappings of code from files; nothing writes to them.
  private static func mappedCode() -> [UnsafeMutableRawBufferPointer] {
    guard let file = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(file) }
    var ranges: [UnsafeMutableRawBufferPointer] = []
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { free(line) }
    while getline(&line, &room, file) > 0, let text = line.map({ String(cString: $0) }) {
      // The fields of a line (proc(5)): start-end mode offset device inode path
      let fields = text.split(whereSeparator: \.isWhitespace)
      guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2, bounds[0] < bounds[1] else { continue }
      ranges.append(
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(bitPattern: bounds[0]), count: Int(bounds[1] - bounds[0])))
    }
    return ranges
  }
}
