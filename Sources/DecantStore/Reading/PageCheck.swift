/// The check of a file's pages as `PRAGMA quick_check` makes it, in the order of the file.
///
/// This check gives no findings. If a page isn't as SQLite writes it, this check ends, and SQLite's own check decides.
struct PageCheck: ~Copyable {
  /// The overflow pages of a cell whose content is too long for its page.
  struct Chain {
    let first: UInt32
    let pages: UInt32
    /// The page with the cell.
    let owner: UInt32
  }

  var map: PageMap
  let trees: [PageTree]
  var tallies: [TableTally]
  let usable: Int
  private var chains: [Chain] = []
  /// The first 4 bytes of each page that isn't claimed yet: in an overflow page, the number of the next one.
  private var following: [UInt32] = []
  /// The range of bytes of each cell and free block of a page: the place of the first byte in the upper 16 bits, and of
  /// the last byte in the lower 16 bits.
  private let spans: UnsafeMutableBufferPointer<UInt32>
  private var levels: [UnsafeMutablePointer<UInt8>] = []
  /// The most bytes of content that a cell of a table has in its page (SQLite's file format, 1.6).
  private let mostOfTable: Int
  /// The most bytes of content that a cell of an index has in its page.
  private let mostOfIndex: Int
  /// The fewest bytes of content that a cell has in its page if it has overflow pages.
  private let least: Int

  init(_ file: consuming PagedFile, trees: [PageTree]) {
    usable = file.usable
    self.trees = trees
    tallies = Array(repeating: TableTally(), count: trees.count)
    mostOfTable = usable - 35
    mostOfIndex = (usable - 12) * 64 / 255 - 23
    least = (usable - 12) * 32 / 255 - 23
    spans = .allocate(capacity: usable)
    map = PageMap(file)
  }

  deinit {
    spans.deallocate()
    for level in levels { level.deallocate() }
  }

  /// Reads a page into the memory of a level; no other level's memory changes.
  mutating func scratch(level: Int, _ page: Int) throws(StoreError) -> PageBytes {
    while levels.count <= level { levels.append(.allocate(capacity: map.file.pageSize + PageBytes.padding)) }
    try map.file.read(page, into: levels[level])
    return PageBytes(UnsafePointer(levels[level]))
  }

  /// Claims the free pages, and all pages of trees except overflow pages.
  ///
  /// - Parameter isOver: Asked for each inner page of a tree and each trunk page of the free list; true ends the work.
  /// - Returns: False if a page isn't as expected, or if `isOver` ended the work.
  mutating func survey(orUntil isOver: () -> Bool) throws(StoreError) -> Bool {
    let largest = trees.map(\.root).max() ?? 1
    guard map.file.largestRoot == 0 || map.file.largestRoot == largest, trees.count <= Int(UInt16.max) else {
      return false
    }
    for (number, tree) in trees.enumerated() {
      guard try walk(tree, number: number, orUntil: isOver) else { return false }
    }
    guard try claimFreePages(orUntil: isOver) else { return false }
    if map.unclaimed > 0 { following = Array(repeating: 0, count: map.file.pageCount + 1) }
    return true
  }

  private mutating func claimFreePages(orUntil isOver: () -> Bool) throws(StoreError) -> Bool {
    var trunk = map.file.firstFree
    var found = 0
    while trunk != 0 {
      guard !isOver(), try map.claim(trunk, .free, .free, of: 0) else { return false }
      let bytes = try scratch(level: 0, trunk)
      let count = bytes.word(4)
      guard count <= usable / 4 - 2 else { return false }
      for index in 0..<count {
        guard try map.claim(bytes.word(8 + 4 * index), .free, .free, of: 0) else { return false }
      }
      found += count + 1
      trunk = bytes.word(0)
    }
    return found == map.file.freePages
  }

  /// Checks a page that is read in the order of the file.
  mutating func check(_ bytes: PageBytes, _ page: Int) -> Bool {
    switch map.kinds[page] {
    case .unclaimed:
      following[page] = UInt32(truncatingIfNeeded: bytes.word(0))
      return true
    case .tableLeaf: return check(bytes, page, type: 13, tree: Int(map.trees[page])) != nil
    case .indexLeaf: return check(bytes, page, type: 10, tree: nil) != nil
    case .lock, .pointerMap, .free, .inner, .overflow: return true
    }
  }

  /// Claims the overflow pages.
  ///
  /// - Returns: Whether every page of the file has exactly one use.
  mutating func finish() throws(StoreError) -> Bool {
    for chain in chains {
      var page = Int(chain.first)
      var parent = Int(chain.owner)
      for index in 0..<chain.pages {
        guard try map.claim(page, .overflow, index == 0 ? .firstOverflow : .overflow, of: parent) else {
          return false
        }
        parent = page
        page = Int(following[page])
      }
      guard page == 0 else { return false }
    }
    return map.unclaimed == 0
  }

  /// Checks the form of a page of a tree.
  ///
  /// - Parameter tree: For the leaf of a table, the place of the table in `trees`; `nil` for other pages.
  /// - Returns: The number of the page's cells; `nil` if the page isn't as it should be.
  mutating func check(_ bytes: PageBytes, _ page: Int, type: Int, tree: Int?) -> Int? {
    let header = page == 1 ? 100 : 0
    let count = bytes.short(header + 3)
    let content = bytes.short(header + 5) == 0 ? 65_536 : bytes.short(header + 5)
    let pointers = header + (type < 8 ? 12 : 8)
    guard bytes[header] == type, pointers + 2 * count <= content, content <= usable else { return nil }
    var rows = tree.map { RowNotes(trees[$0], above: map.limits[Int(map.places[page]) - 1]) }
    var (used, number, end, isDescending) = (0, 0, usable, true)
    for index in 0..<count {
      let cell = bytes.short(pointers + 2 * index)
      guard cell >= content, cell <= usable - 4,
        let size = cellSize(bytes, cell, page, type: type, &rows), cell + size <= usable
      else { return nil }
      if cell + size > end { isDescending = false }
      end = cell
      used += size
      spans[number] = UInt32(cell) << 16 | UInt32(cell + size - 1)
      number += 1
    }
    var free = bytes.short(header + 1)
    while free != 0 {
      guard free >= content, free <= usable - 4 else { return nil }
      let (next, size) = (bytes.short(free), bytes.short(free + 2))
      guard size >= 4, free + size <= usable, next == 0 || next > free + size + 3, number < spans.count else {
        return nil
      }
      isDescending = false
      used += size
      spans[number] = UInt32(free) << 16 | UInt32(free + size - 1)
      number += 1
      free = next
    }
    guard usable - content - used == bytes[header + 7], isDescending || areApart(number) else { return nil }
    if let tree, let rows, count > 0 {
      guard rows.last <= map.limits[Int(map.places[page])] else { return nil }
      rows.give(to: &tallies[tree])
    }
    // Only a root may be empty.
    return count > 0 || trees.contains { $0.root == page } ? count : nil
  }

  /// Whether no two of the first `number` spans have a byte in common.
  private func areApart(_ number: Int) -> Bool {
    var used = UnsafeMutableBufferPointer(rebasing: spans.prefix(number))
    used.sort()
    for index in used.indices.dropFirst() where used[index - 1] & 0xffff >= used[index] >> 16 { return false }
    return true
  }

  /// - Returns: The number of bytes of a cell; `nil` if there can't be a cell at that place.
  @inline(__always)
  private mutating func cellSize(
    _ bytes: PageBytes, _ cell: Int, _ page: Int, type: Int, _ rows: inout RowNotes?
  ) -> Int? {
    var place = cell
    if type < 8 { place += 4 }
    if type == 5 {
      _ = bytes.varint(&place)
      return place - cell
    }
    let payload = bytes.varint(&place)
    guard payload <= 0x7fff_ffff else { return nil }
    let size = Int(payload)
    if rows != nil {
      guard rows?.take(key: Int64(bitPattern: bytes.varint(&place))) == true else { return nil }
    }
    let most = type == 13 ? mostOfTable : mostOfIndex
    var local = size
    if size > most {
      let surplus = least + (size - least) % (usable - 4)
      local = surplus <= most ? surplus : least
    }
    let end = place + local + (size > most ? 4 : 0)
    guard end <= usable else { return nil }
    if size > most {
      // Each chain has at least one page of its own, so there can't be more chains than pages.
      guard chains.count < map.file.pageCount else { return nil }
      let pages = (size - local + usable - 5) / (usable - 4)
      chains.append(
        Chain(
          first: UInt32(truncatingIfNeeded: bytes.word(place + local)), pages: UInt32(pages),
          owner: UInt32(page)))
    }
    if rows != nil {
      guard rows?.take(bytes, place, local: local, size: size) == true else { return nil }
    }
    return max(4, end - cell)
  }
}
