internal import DecantModel
internal import DecantStore

/// The objects of a root entity and its subentities: the numbers of each entity, and the primary key of each number.
///
/// Objects are numbered from 0, entity after entity, depth first, so that an entity with its subentities has one range
/// of numbers. Keys mix the entities and have gaps, as after inserts and deletes.
struct Population: Sendable {
  /// The objects of one entity, without those of its subentities.
  struct Block: Sendable {
    let entity: String
    /// The number of the entity, `Z_ENT`.
    let number: Int
    let range: Range<Int>
  }

  let blocks: [Block]
  let count: Int
  private let ranges: [String: Range<Int>]
  /// Maps places in key order to numbers.
  private let shuffle: Shuffle

  init(of root: String, layout: StoreLayout, counts: [String: Int], seed: UInt64) {
    var blocks: [Block] = []
    var ranges: [String: Range<Int>] = [:]
    var next = 0
    func add(_ entity: Entity) {
      let start = next
      let own = entity.isAbstract ? 0 : counts[entity.name] ?? 0
      if own > 0 {
        blocks.append(
          Block(
            entity: entity.name, number: layout.entityNumbers[entity.name] ?? 0, range: start..<(start + own)))
      }
      next += own
      for child in layout.model.subentities(of: entity.name) { add(child) }
      ranges[entity.name] = start..<next
    }
    if let entity = layout.model.entity(named: root) { add(entity) }
    self.blocks = blocks
    self.ranges = ranges
    count = next
    shuffle = blocks.count > 1 ? Shuffle(next, seed: SplitMix64.seed(seed, root)) : Shuffle(identity: next)
  }

  /// The numbers of an entity's objects, subentities included.
  func range(of entity: String) -> Range<Int> { ranges[entity] ?? 0..<0 }

  func key(of number: Int) -> Int { Self.key(at: shuffle.number(at: number)) }

  /// The number of the object at a place in key order.
  func number(at place: Int) -> Int { shuffle.place(of: place) }

  /// The primary key at a place in key order; every 41st key is free.
  static func key(at place: Int) -> Int { place + place / 40 + 1 }

  /// The largest key that was ever assigned.
  ///
  /// If the number of objects is odd, this key is larger than the last object's key, as after deletes.
  var highWaterMark: Int { count == 0 ? 0 : Self.key(at: count - 1) + count % 2 * 3 }

  func block(of number: Int) -> Int {
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].range.lowerBound <= number { low = middle } else { high = middle }
    }
    return low
  }
}
