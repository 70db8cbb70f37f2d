/// The use of each page of a file.
///
/// Every page is claimed once. If the file has a pointer map, the page's entry there must agree.
struct PageMap: ~Copyable {
  enum Kind: UInt8 {
    case unclaimed, lock, pointerMap, free, inner, overflow, tableLeaf, indexLeaf
  }

  /// The types of entries in a pointer map (SQLite's file format, 1.8).
  enum Entry: Int {
    case root = 1, free, firstOverflow, overflow, tree
  }

  var file: PagedFile
  private(set) var kinds: [Kind]
  /// The tree of each leaf.
  private(set) var trees: [UInt16]
  /// The place in `limits` of each leaf of a table.
  private(set) var places: [UInt32]
  /// An upper bound of the keys of each leaf of a table, in the order of keys; `Int64.min` begins each table.
  private(set) var limits: [Int64] = []
  /// The pages of the pointer map.
  private var maps: [Int: UnsafeMutablePointer<UInt8>] = [:]
  private(set) var unclaimed: Int

  init(_ file: consuming PagedFile) {
    let pages = file.pageCount
    kinds = Array(repeating: .unclaimed, count: pages + 1)
    trees = Array(repeating: 0, count: pages + 1)
    places = Array(repeating: 0, count: pages + 1)
    unclaimed = pages
    self.file = file
    if self.file.lockPage <= pages { _ = take(self.file.lockPage, .lock) }
    guard self.file.largestRoot > 0, pages > 1 else { return }
    var page = 2
    while page <= pages {
      let map = self.file.mapPage(of: page)
      if map <= pages { _ = take(map, .pointerMap) }
      page += self.file.usable / 5 + 1
    }
  }

  deinit { for bytes in maps.values { bytes.deallocate() } }

  private mutating func take(_ page: Int, _ kind: Kind) -> Bool {
    guard page > 0, page <= file.pageCount, kinds[page] == .unclaimed else { return false }
    kinds[page] = kind
    unclaimed -= 1
    return true
  }

  /// Claims a page for one use.
  ///
  /// - Returns: Whether the page was unclaimed, and its entry in the pointer map, if there is one, agrees.
  mutating func claim(_ page: Int, _ kind: Kind, _ entry: Entry, of parent: Int) throws(StoreError) -> Bool {
    guard take(page, kind) else { return false }
    guard file.largestRoot > 0, page > 1 else { return true }
    let map = file.mapPage(of: page)
    let bytes = PageBytes(UnsafePointer(try mapBytes(map)))
    let place = 5 * (page - map - 1)
    guard place >= 0, place + 5 <= file.usable else { return false }
    return bytes[place] == entry.rawValue && bytes.word(place + 1) == parent
  }

  private mutating func mapBytes(_ page: Int) throws(StoreError) -> UnsafeMutablePointer<UInt8> {
    if let bytes = maps[page] { return bytes }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: file.pageSize)
    maps[page] = bytes
    try file.read(page, into: bytes)
    return bytes
  }

  /// Claims a leaf.
  ///
  /// - Parameter limit: The greatest possible key of the leaf of a table; not used for the leaf of an index.
  mutating func claimLeaf(
    _ page: Int, tree: Int, isTable: Bool, limit: Int64, _ entry: Entry, of parent: Int
  ) throws(StoreError) -> Bool {
    guard try claim(page, isTable ? .tableLeaf : .indexLeaf, entry, of: parent) else { return false }
    trees[page] = UInt16(tree)
    guard isTable else { return true }
    places[page] = UInt32(limits.count)
    limits.append(limit)
    return true
  }

  /// Begins the leaves of a table.
  mutating func beginTable() { limits.append(Int64.min) }
}
