internal import DecantStore

/// Compares the list of stray rows beside a destination with the list made from the source.
///
/// Both are read piece by piece, because the lists of large stores are large.
enum StrayListComparison {
  private static let piece = 1 << 18

  /// The first line that differs, counted from 1; `nil` if the two files are equal, byte by byte.
  ///
  /// - Throws: `StoreError` for a file that can't be read.
  static func firstDifference(_ expected: String, _ kept: String) throws(StoreError) -> Int? {
    let files = (try FileParts(expected), try FileParts(kept))
    var line = 1
    while true {
      let (own, other) = (try files.0.read(piece), try files.1.read(piece))
      let isSame = own == other
      if isSame, own.isEmpty { return nil }
      let common = isSame ? own[...] : own.prefix(zip(own, other).prefix { $0 == $1 }.count)
      line += common.count { $0 == 0x0A }
      if !isSame { return line }
    }
  }
}
