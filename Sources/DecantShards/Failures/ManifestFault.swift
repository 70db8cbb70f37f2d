/// What is wrong with a record of a manifest, so that the manifest's paths aren't certain.
package enum ManifestFault: Sendable, Hashable {
  /// The record is longer than any path.
  case long
  /// A line has a NUL byte.
  case mixed
  /// The last path of a manifest with NUL bytes doesn't end with one.
  case cut
  /// A line ends with a carriage return, as on Windows.
  case carriageReturn
  /// The file begins with a byte order mark.
  case byteOrderMark
  /// The path depends on a working directory.
  case relative

  /// The fault of a record; `nil` if the record is a path, or empty.
  init?(_ record: RecordReader.Record, separator: UInt8) {
    guard let first = record.bytes.first else { return nil }
    if separator == 0 {
      if !record.isEnded {
        self = .cut
        return
      }
    } else if record.bytes.contains(0) {
      self = .mixed
      return
    } else if record.bytes.last == 0x0D {
      self = .carriageReturn
      return
    }
    guard first != 0x2F else { return nil }
    self = record.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? .byteOrderMark : .relative
  }

  var description: String {
    switch self {
    case .long: "it is longer than any path."
    case .mixed: "it has a NUL byte, and the records before it are lines."
    case .cut: "it is the last path and lacks the NUL byte that ends the paths before it."
    case .carriageReturn: "it ends with a carriage return."
    case .byteOrderMark: "it begins with a byte order mark, which isn't a part of a path."
    case .relative: "the path isn't absolute."
    }
  }

  var advice: String {
    switch self {
    case .long: "A manifest names one store a line, or ends each path with a NUL byte."
    case .mixed, .cut: "End every path with a NUL byte, as “find -print0” does."
    case .carriageReturn: "End lines with a newline alone (tr -d '\\r'), or paths with a NUL byte."
    case .byteOrderMark: "Write the file as UTF-8 without this mark (tail -c +4 FILE)."
    case .relative: "Name the store from / on: the machines and runs may have different working directories."
    }
  }
}
