internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The rows of one join table in the order of the owners' keys.
///
/// Each pair occurs once, and both relationships have the counts that the model demands, if that is possible.
struct JoinPairs {
  /// One row: the numbers of both objects, and the place of each object among the other object's partners.
  package struct Pair {
    let owner: Int
    let target: Int
    let placeOfTarget: Int
    let placeOfOwner: Int
  }

  private let owners: InventedLinks.Members
  private let targets: InventedLinks.Members
  private let needed: Int
  private let least: Int
  private let most: Int
  private let mostOwners: Int
  private let seed: UInt64
  private let order: Shuffle
  private let property: StoreLayout.Property
  private let isOneFamily: Bool

  /// The pairs of the relationship that names a join table; `nil` if the model lacks the relationship or its inverse.
  init?(_ table: StoreLayout.JoinTable, invented: InventedLinks) {
    property = table.second.relationship
    let (model, other) = (invented.layout.model, table.first.relationship)
    guard let relationship = model.relationship(property.name, of: property.entity),
      let inverse = model.relationship(other.name, of: other.entity),
      let owners = invented.members(property.entity, alsoOf: inverse.destinationEntityName),
      let targets = invented.members(relationship.destinationEntityName, alsoOf: other.entity)
    else { return nil }
    self.owners = owners
    self.targets = targets
    isOneFamily = owners.root == targets.root
    seed = SplitMix64.seed(invented.seed, table.name)
    order = Shuffle(targets.range.count, seed: seed)
    func count(neededAt end: Relationship) -> Int {
      min(end.isOptional ? 0 : max(1, end.minimumCount), 1_000_000)
    }
    func limit(_ end: Relationship) -> Int { end.maximumCount > 1 ? end.maximumCount : .max }
    let perOwner =
      owners.range.isEmpty
      ? 0 : (targets.range.count * count(neededAt: inverse) + owners.range.count - 1) / owners.range.count
    needed = count(neededAt: relationship)
    least = min(max(needed, perOwner), limit(relationship), targets.range.count)
    most = max(least, min(limit(relationship), targets.range.count))
    mostOwners = limit(inverse)
  }

  /// A sentence about a minimum of the model that these numbers of objects can't satisfy; `nil` if there is none.
  var shortcoming: String? {
    needed > least && !owners.range.isEmpty
      ? "\(property): an owner should have \(counted(needed, "target")) and has \(least)" : nil
  }

  var populations: (owners: Population, targets: Population) { (owners.population, targets.population) }

  /// Calls back for each row, in the order of the owners' keys.
  func forEach(_ body: (Pair) throws(SQLiteError) -> Void) throws(SQLiteError) {
    let count = targets.range.count
    guard count > 0 else { return }
    var turn = 0
    for place in 0..<owners.population.count {
      let owner = owners.population.number(at: place)
      guard owners.range.contains(owner) else { continue }
      for position in 0..<degree(of: owner) {
        defer { turn += 1 }
        let round = turn / count
        guard round < mostOwners else { return }
        let index = order.place(of: turn % count)
        let target = targets.range.lowerBound + index
        if isOneFamily, target == owner, least == 0 { continue }
        // Swapping neighbours keeps the places distinct and different from the order of keys.
        try body(
          Pair(owner: owner, target: target, placeOfTarget: position, placeOfOwner: round ^ (index & 1)))
      }
    }
  }

  /// The number of an owner's targets: mostly none or few, seldom many.
  private func degree(of owner: Int) -> Int {
    var random = SplitMix64(seed, row: owner)
    let wish =
      random.once(in: 1_000) || owner == owners.range.lowerBound ? 40 : [0, 1, 1, 2, 3, 0][random.below(6)]
    return min(max(wish, least), most)
  }
}
