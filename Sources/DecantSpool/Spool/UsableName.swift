internal import FileAccess
internal import FileNames

/// A name that the daemon can take, in place of a drop's name that isn't UTF-8 or is too long.
///
/// The new name begins like the old name, with `_` for each byte that isn't safe, and keeps a short extension of safe
/// bytes. The start of the old name's digest distinguishes it from the usable names of other drops.
struct UsableName {
  private static let mostLetters = 60
  private static let longestExtension = 20

  /// The old names with the new ones: the files that belong to the store, then the store.
  let renamed: [(old: FileName, new: FileName)]

  /// - Parameters:
  ///   - name: The old name of a store or a folder, or of a file whose store isn't there.
  ///   - isThere: Whether the folder has an entry with a name.
  init(for name: FileName, isThere: (FileName) -> Bool) {
    let suffix = (StoreNames.siblingSuffixes + [StoreNames.requestSuffix]).first { name.dropping($0) != nil }
    let store = suffix.flatMap(name.dropping) ?? name
    let usable = Self.name(for: store)
    guard suffix == nil else {
      renamed = [(name, usable + (suffix ?? ""))]
      return
    }
    var renamed = StoreNames.siblingSuffixes.map { (store + $0, usable + $0) }
    renamed.append((store + StoreNames.requestSuffix, usable + StoreNames.requestSuffix))
    let stem = StoreNames.stem(store)
    if stem != store {
      renamed.append((stem + StoreNames.requestSuffix, StoreNames.stem(usable) + StoreNames.requestSuffix))
    }
    renamed.append((StoreNames.support(store), StoreNames.support(usable)))
    self.renamed = renamed.filter { isThere($0.0) } + [(store, usable)]
  }

  private static func name(for store: FileName) -> FileName {
    let stem = StoreNames.stem(store)
    let ending = Array(store.bytes.dropFirst(stem.bytes.count))
    let isPlain = ending.count <= longestExtension && ending.allSatisfy { isSafe($0) }
    let start = (isPlain ? stem : store).bytes.prefix(mostLetters).map { isSafe($0) ? $0 : UInt8(ascii: "_") }
    var digest = Fingerprint()
    for byte in store.bytes { digest.add(Int64(byte)) }
    return FileName(
      bytes: (isPlain ? start : start.map(Self.undotted)) + Array("-\(digest.text.prefix(8))".utf8)
        + (isPlain ? ending : []))
  }

  /// A point would begin an extension, and so change the names of the files that belong to the store.
  private static func undotted(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: ".") ? UInt8(ascii: "_") : byte
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The shell command that renames the entries of a folder.
  ///
  /// The command does nothing if a new name is in use, and it replaces no file. The store comes last, so that the
  /// daemon never sees the store without its files.
  func command(in folder: String) -> String {
    let targets = renamed.map { ShellQuoting.quote(folder + "/" + $0.new.text) }
    let checks = targets.map { "[ ! -e \($0) ]" }
    let moves = zip(renamed, targets).map { names, target in
      "mv -nT \(ShellQuoting.quote(bytes: Array((folder + "/").utf8) + names.old.bytes)) \(target)"
    }
    return (checks + moves).joined(separator: " && ")
  }
}
