/// Splits paths by bytes.
///
/// A name may begin with a combining mark, which Swift and `NSString` treat as a part of the slash before it.
package enum PathText {
  private static let slash: UInt8 = 0x2F

  /// The last name of a path, without slashes at its end; empty for the root.
  package static func name(of path: String) -> FileName {
    let trimmed = trimmed(path)
    return FileName(bytes: Array(trimmed[(trimmed.lastIndex(of: slash).map { $0 + 1 } ?? 0)...]))
  }

  /// The path of the folder that contains the path's last name; `.` for a name without a folder.
  package static func folder(of path: String) -> String {
    let trimmed = trimmed(path)
    guard let place = trimmed.lastIndex(of: slash) else { return "." }
    guard let end = trimmed[..<place].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: trimmed[...end], as: UTF8.self)
  }

  private static func trimmed(_ path: String) -> ArraySlice<UInt8> {
    let bytes = Array(path.utf8)
    guard let end = bytes.lastIndex(where: { $0 != slash }) else { return [] }
    return bytes[...end]
  }
}
