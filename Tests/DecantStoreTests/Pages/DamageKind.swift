import Foundation
import Testing

/// One kind of damage to a file with a table `ZNOTE` and an index `ZNOTE_TEXT`.
///
/// SQLite finds each kind for certain.
enum DamageKind: String, CaseIterable, CustomTestStringConvertible {
  case cutPage, cutBytes, furtherPage, pageCount
  case freeCount, freeStart, freeLoop, freeLeaves, freeLeafOfTree
  case overflowLoop, overflowEnd, overflowOfTree, overflowStart
  case mapType, mapParent, mapRoot
  case zeroLeaf, zeroIndexLeaf, doubleLeaf, swappedLeaves, leafOfIndex
  case childLoop, childBeyond, childZero, childTwice, depth
  case cellInHeader, cellTwice, cellBeyond, cellCount, contentStart, fragments, freeBlock, keyOrder, limit

  var testDescription: String { rawValue }

  /// Whether the damage is in a pointer map, or in pages that are found by a pointer map.
  var needsMap: Bool { rawValue.hasPrefix("map") || rawValue.hasPrefix("overflow") }

  /// Whether the damage is in pages of long values, or in their entries in the pointer map.
  var needsOverflow: Bool { rawValue.hasPrefix("overflow") || self == .mapType }

  /// Whether the damage is in free pages.
  ///
  /// A file with full auto-vacuum has none.
  var needsFreePages: Bool { rawValue.hasPrefix("free") && self != .freeBlock }

  func apply(to pages: inout DamagedPages) {
    let notes = pages.root("ZNOTE")
    let leaves = pages.leaves(of: notes)
    let leaf = pages.start(leaves[leaves.count / 2])
    switch self {
    case .cutPage: pages.data.removeLast(pages.size)
    case .cutBytes: pages.data.removeLast(pages.size / 2)
    case .furtherPage:
      // Two pages, because the place of one page may be that of a further pointer map page.
      pages.data.append(Data(count: 2 * pages.size))
      pages.setWord(28, pages.count)
    case .pageCount: pages.setWord(28, pages.word(28) - 1)
    case .freeCount, .freeStart, .freeLoop, .freeLeaves, .freeLeafOfTree: damageFreePages(&pages, leaves)
    case .overflowLoop, .overflowEnd, .overflowOfTree, .overflowStart, .mapType, .mapParent, .mapRoot:
      damageMapped(&pages, leaves)
    case .zeroLeaf: pages.clear(leaves[leaves.count / 2])
    case .zeroIndexLeaf: pages.clear(pages.leaves(of: pages.root("ZNOTE_TEXT"))[1])
    case .doubleLeaf: pages.copy(leaves[1], to: leaves[2])
    case .swappedLeaves:
      let first = pages.data[pages.start(leaves[1])..<pages.start(leaves[1]) + pages.size]
      pages.copy(leaves[2], to: leaves[1])
      let start = pages.start(leaves[2])
      pages.data.replaceSubrange(start..<start + pages.size, with: first)
    case .leafOfIndex: pages.copy(pages.leaves(of: pages.root("ZNOTE_TEXT"))[1], to: leaves[1])
    case .childLoop: pages.setWord(pages.children(of: notes)[1], notes)
    case .childBeyond: pages.setWord(pages.children(of: notes)[1], pages.count + 1)
    case .childZero: pages.setWord(pages.children(of: notes)[1], 0)
    case .childTwice: pages.setWord(pages.children(of: notes)[1], pages.word(pages.children(of: notes)[0]))
    case .depth: pages.copy(leaves[0], to: pages.word(pages.children(of: notes)[1]))
    case .cellInHeader: pages.setShort(leaf + 8, 4)
    case .cellTwice: pages.setShort(leaf + 8, pages.short(leaf + 10))
    case .cellBeyond: pages.setShort(leaf + 8, pages.size - 2)
    case .cellCount: pages.setShort(leaf + 3, pages.short(leaf + 3) + 1)
    case .contentStart: pages.setShort(leaf + 5, pages.short(leaf + 5) + 1)
    case .fragments: pages.data[leaf + 7] += 1
    case .freeBlock: pages.setShort(leaf + 1, 3)
    case .keyOrder:
      let (first, second) = (pages.short(leaf + 8), pages.short(leaf + 10))
      pages.setShort(leaf + 8, second)
      pages.setShort(leaf + 10, first)
    case .limit:
      // The key of the first cell of an inner page becomes smaller than the keys below it.
      pages.data[pages.children(of: notes)[1] + 4] = 1
    }
  }

  private func damageFreePages(_ pages: inout DamagedPages, _ leaves: [Int]) {
    let trunk = pages.start(pages.word(32))
    switch self {
    case .freeCount: pages.setWord(36, pages.word(36) + 1)
    case .freeStart: pages.setWord(32, leaves[1])
    case .freeLoop: pages.setWord(trunk, pages.word(32))
    case .freeLeaves: pages.setWord(trunk + 4, pages.size)
    default: pages.setWord(trunk + 8, leaves[1])
    }
  }

  private func damageMapped(_ pages: inout DamagedPages, _ leaves: [Int]) {
    let (first, further) = (pages.entries(type: 3), pages.entries(type: 4))
    switch self {
    case .overflowLoop: pages.setWord(pages.start(further[0].page), further[0].page)
    case .overflowEnd: pages.setWord(pages.start(pages.word(further[0].place + 1)), 0)
    case .overflowOfTree: pages.setWord(pages.start(first[0].page), leaves[0])
    case .overflowStart:
      let owner = pages.start(pages.word(first[0].place + 1))
      let number = withUnsafeBytes(of: UInt32(first[0].page).bigEndian) { Data($0) }
      if let place = pages.data.range(of: number, in: owner + 8..<owner + pages.size) {
        pages.setWord(place.lowerBound, first[1].page)
      }
    case .mapType: pages.data[first[0].place] = 4
    case .mapParent: pages.setWord(pages.entries(type: 5)[0].place + 1, leaves[0])
    default: pages.setWord(52, pages.word(52) + 1)
    }
  }
}
