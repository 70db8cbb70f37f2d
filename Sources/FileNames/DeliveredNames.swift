/// The names of the files that a migration puts beside a new store.
///
/// The engine names its files by this list. By the same list, the daemon knows which folders in `done/` hold only such
/// files.
package enum DeliveredNames {
  /// The text that replaces the store's extension in the name of the association file.
  package static let associations = ".associations.sqlite"
  /// The start of the text that replaces the store's extension in the name of a quarantine's file.
  package static let quarantine = ".quarantine"
  /// The text after `quarantine` in the name of a file that holds a source's stray rows.
  package static let ofSource = "-source"

  /// Whether a migration puts a file or folder of this name into a store's folder; true for the store itself, too.
  package static func contains(_ name: FileName, with store: FileName) -> Bool {
    name == store || name == StoreNames.support(store) || StoreNames.siblings(store).contains(name)
      || name == StoreNames.stem(store) + associations || isQuarantine(name, of: store)
  }

  /// Whether a quarantine's file or folder has this name.
  ///
  /// A file's name begins with `STEM.quarantine`, with `STEM.quarantine-N` for the earlier step N, or with
  /// `STEM.quarantine-source`. A folder's name has a point before that, and ends with `_SUPPORT`.
  package static func isQuarantine(_ name: FileName, of store: FileName) -> Bool {
    let stem = StoreNames.stem(store) + quarantine
    let isFolder = name.hasPrefix(".")
    let bytes = isFolder ? name.bytes.dropFirst() : name.bytes[...]
    guard bytes.starts(with: stem.bytes) else { return false }
    let rest = bytes.dropFirst(stem.bytes.count)
    let isOfSource = rest.starts(with: ofSource.utf8)
    let ending =
      isOfSource ? rest.dropFirst(ofSource.utf8.count) : rest.drop { $0 == 0x2D || (0x30...0x39).contains($0) }
    let number = isOfSource ? "" : String(decoding: rest.dropLast(ending.count), as: UTF8.self)
    guard number.isEmpty || (number.first == "-" && Int(number.dropFirst()) ?? 0 > 0) else { return false }
    if isFolder { return ending.elementsEqual("_SUPPORT".utf8) }
    let endings = [".json", ".sqlite"] + StoreNames.siblingSuffixes.map { ".sqlite" + $0 }
    return endings.contains { ending.elementsEqual($0.utf8) }
  }
}
