/// Walks the inner pages of a tree, and claims all its pages except overflow pages.
extension PageCheck {
  /// The largest accepted number of levels of a tree, leaves included; no sound file has more.
  private static let mostLevels = 20

  /// - Parameter number: The place of the tree in `trees`.
  /// - Returns: False if a page isn't as expected, or if `isOver` ended the work.
  mutating func walk(_ tree: PageTree, number: Int, orUntil isOver: () -> Bool) throws(StoreError) -> Bool {
    // All leaves have the same distance from the root, so the way to the first leaf gives the number of levels.
    var levels = 0
    var page = tree.root
    while true {
      guard page > 0, page <= map.file.pageCount, levels < Self.mostLevels else { return false }
      let bytes = try scratch(level: levels, page)
      let header = page == 1 ? 100 : 0
      let type = bytes[header]
      if type == (tree.isTable ? 13 : 10) { break }
      guard type == (tree.isTable ? 5 : 2) else { return false }
      let first = bytes.short(header + 3) == 0 ? header + 8 : bytes.short(header + 12)
      guard first + 4 <= usable else { return false }
      page = bytes.word(first)
      levels += 1
    }
    if tree.isTable { map.beginTable() }
    return try descend(
      tree.root, .root, of: 0, tree, number, levels: levels, above: Int64.min, upTo: Int64.max,
      orUntil: isOver)
  }

  private mutating func descend(
    _ page: Int, _ entry: PageMap.Entry, of parent: Int, _ tree: PageTree, _ number: Int, levels: Int,
    above lower: Int64, upTo upper: Int64, orUntil isOver: () -> Bool
  ) throws(StoreError) -> Bool {
    if levels == 0 {
      return try map.claimLeaf(page, tree: number, isTable: tree.isTable, limit: upper, entry, of: parent)
    }
    guard !isOver(), try map.claim(page, .inner, entry, of: parent) else { return false }
    let bytes = try scratch(level: levels, page)
    let header = page == 1 ? 100 : 0
    guard let count = check(bytes, page, type: tree.isTable ? 5 : 2, tree: nil), count > 0 else { return false }
    var last = lower
    for index in 0..<count {
      let cell = bytes.short(header + 12 + 2 * index)
      var limit = upper
      if tree.isTable {
        var place = cell + 4
        limit = Int64(bitPattern: bytes.varint(&place))
        guard limit > last, limit <= upper else { return false }
      }
      guard
        try descend(
          bytes.word(cell), .tree, of: page, tree, number, levels: levels - 1, above: last, upTo: limit,
          orUntil: isOver)
      else { return false }
      last = limit
    }
    return try descend(
      bytes.word(header + 8), .tree, of: page, tree, number, levels: levels - 1, above: last, upTo: upper,
      orUntil: isOver)
  }
}
