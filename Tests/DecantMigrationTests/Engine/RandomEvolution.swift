/// A random model and random next versions of it.
///
/// Everything that is renamed has a renaming identifier.
struct RandomEvolution {
  /// Random numbers that are the same for the same seed.
  struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ (state >> 29)) &* 0xbf58_476d_1ce4_e5b9
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }
    mutating func once(in times: Int) -> Bool { below(times) == 0 }
  }

  private struct Item {
    var name: String
    var former: String?
    var type: String
    var isOptional = true

    mutating func rename(_ new: String) {
      former = former ?? name
      name = new
    }

    var mark: String { former.map { " was \($0)" } ?? "" }
  }

  private struct Thing {
    var item: Item
    var parent: Int?
    var isAbstract = false
    var attributes: [Item]
    var isGone = false
  }

  private struct End {
    var item: Item
    var isToMany: Bool
    var isOrdered = false
  }

  private struct Link {
    var entities: [Int]
    /// One end, or two inverse ends.
    var ends: [End]
  }

  private static let types = [
    "Int16", "Int32", "Int64", "Double", "String", "Bool", "Date", "UUID", "Binary", "Decimal",
  ]
  private static let defaults = [
    "Int16": "3", "Int32": "4", "Int64": "5", "Double": "0.5", "String": "'a ''b'", "Bool": "YES",
    "Date": "7.5",
    "UUID": "00112233-4455-6677-8899-AABBCCDDEEFF", "Binary": "AAEC", "Decimal": "1.5",
  ]

  private var chance: Chance
  private var count = 0
  private var things: [Thing] = []
  private var links: [Link] = []

  /// The versions as text, each changed from the one before.
  private(set) var versions: [String] = []

  init(seed: UInt64, versions count: Int = 2) {
    chance = Chance(state: seed &* 0x9e37_79b9_7f4a_7c15)
    for _ in 0..<(3 + chance.below(4)) { addThing() }
    for _ in 0..<(2 + chance.below(6)) { addLink() }
    versions.append(text)
    while versions.count < count {
      if versions.count > 1 { settle() }
      for _ in 0..<(2 + chance.below(7)) { change() }
      versions.append(text)
    }
  }

  /// Forgets the former names, which were those of the version before.
  private mutating func settle() {
    for thing in things.indices {
      things[thing].item.former = nil
      for item in things[thing].attributes.indices { things[thing].attributes[item].former = nil }
    }
    for link in links.indices {
      for end in links[link].ends.indices { links[link].ends[end].item.former = nil }
    }
  }

  /// A new name with a random first letter, so that entity numbers and orders change with names.
  private mutating func fresh(_ isEntity: Bool) -> String {
    count += 1
    let letter = Array("abcdefghkmnprstuvwyz")[chance.below(20)]
    return (isEntity ? letter.uppercased() : String(letter)) + "x\(count)" + (chance.once(in: 3) ? "Q" : "")
  }

  private mutating func attribute() -> Item {
    let isOptional = !chance.once(in: 4)
    return Item(name: fresh(false), type: Self.types[chance.below(Self.types.count)], isOptional: isOptional)
  }

  private mutating func addThing() {
    let parent = !things.isEmpty && chance.once(in: 2) ? chance.below(things.count) : nil
    let attributes = (0..<chance.below(5)).map { _ in attribute() }
    things.append(
      Thing(
        item: Item(name: fresh(true), type: ""), parent: parent, isAbstract: chance.once(in: 6),
        attributes: attributes))
  }

  private mutating func end() -> End {
    let isToMany = chance.once(in: 2)
    return End(
      item: Item(name: fresh(false), type: ""), isToMany: isToMany, isOrdered: isToMany && chance.once(in: 3))
  }

  private mutating func addLink() {
    let alive = things.indices.filter { !things[$0].isGone }
    let entities = [alive[chance.below(alive.count)], alive[chance.below(alive.count)]]
    var ends = [end()]
    guard chance.once(in: 4) else {
      ends.append(end())
      links.append(Link(entities: entities, ends: ends))
      return
    }
    ends[0].isOrdered = false
    links.append(Link(entities: entities, ends: ends))
    // Half of the links without inverse get a link in the other direction, which isn't the inverse yet.
    guard chance.once(in: 2), entities[0] != entities[1] else { return }
    var back = end()
    back.isOrdered = false
    links.append(Link(entities: entities.reversed(), ends: [back]))
  }

  /// Joins two links in opposite directions: each becomes the inverse of the other.
  private mutating func addInverses() {
    for one in links.indices where links[one].ends.count == 1 {
      let two = links.indices.first {
        $0 > one && links[$0].ends.count == 1 && links[$0].entities == links[one].entities.reversed()
      }
      guard let two else { continue }
      links[one].ends.append(links.remove(at: two).ends[0])
      return
    }
  }

  private mutating func change() {
    let alive = things.indices.filter { !things[$0].isGone }
    let thing = alive[chance.below(alive.count)]
    let item = chance.below(max(things[thing].attributes.count, 1))
    let hasItem = things[thing].attributes.indices.contains(item)
    let link = chance.below(links.count)
    switch chance.below(14) {
    case 0: things[thing].item.rename(fresh(true))
    case 1: if hasItem { things[thing].attributes[item].rename(fresh(false)) }
    case 2: things[thing].attributes.append(attribute())
    case 3: if hasItem { things[thing].attributes.remove(at: item) }
    case 4: if hasItem { things[thing].attributes[item].isOptional.toggle() }
    case 5:
      if hasItem, things[thing].attributes[item].type.hasPrefix("Int") {
        things[thing].attributes[item].type = "Int64"
      }
    case 6:
      let isUsed = links.contains { $0.entities.contains(thing) } || things.contains { $0.parent == thing }
      if !isUsed, alive.count > 2 { things[thing].isGone = true }
    case 7:
      let end = chance.below(links[link].ends.count)
      if chance.once(in: 2) { links[link].ends[end].item.rename(fresh(false)) }
      if links[link].ends.count == 2 { links[link].ends[end].isToMany = true }
    case 8:
      let end = chance.below(links[link].ends.count)
      if links[link].ends[end].isToMany, links[link].ends.count == 2 {
        links[link].ends[end].isOrdered.toggle()
      }
    case 9: if chance.once(in: 2), links.count > 1 { links.remove(at: link) } else { addLink() }
    case 10:  // A new parent over a whole hierarchy.
      guard things[thing].parent == nil else { break }
      things.append(
        Thing(
          item: Item(name: fresh(true), type: ""), parent: nil, isAbstract: chance.once(in: 2), attributes: []))
      things[thing].parent = things.count - 1
    case 11, 12: addInverses()
    default:  // An attribute moves up.
      if hasItem, let parent = things[thing].parent {
        things[parent].attributes.append(things[thing].attributes.remove(at: item))
      }
    }
  }

  private var text: String {
    var text = ""
    for (index, thing) in things.enumerated() where !thing.isGone {
      text += thing.item.name + (thing.isAbstract ? "*" : "")
      if let parent = thing.parent { text += " < \(things[parent].item.name)" }
      text += thing.item.mark + "\n"
      for attribute in thing.attributes {
        let standard = Self.defaults[attribute.type] ?? ""
        text +=
          "  \(attribute.name) \(attribute.type)\(attribute.isOptional ? "?" : "")"
          + (attribute.isOptional ? "" : " = \(standard)") + attribute.mark + "\n"
      }
      for link in links {
        for (side, end) in link.ends.enumerated() where link.entities[side] == index {
          let other = link.entities[1 - side]
          let inverse = link.ends.count == 2 ? ".\(link.ends[1 - side].item.name)" : ""
          text +=
            "  \(end.item.name) \(end.isToMany ? "->>" : "->") \(things[other].item.name)\(inverse)"
            + (end.isOrdered ? " ordered" : "") + end.item.mark + "\n"
        }
      }
    }
    return text
  }
}
