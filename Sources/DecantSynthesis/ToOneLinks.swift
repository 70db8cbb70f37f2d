internal import DecantModel
internal import DecantStore

/// The targets of a to-one relationship, computed from each object's number.
///
/// No links are stored: both ends of a one-to-one relationship compute the same pairs.
struct ToOneLinks: Sendable {
  enum Shape: Sendable, Hashable {
    /// A random target, because the relationship has no inverse.
    case free
    /// A few owners have many children, and most have few or none.
    case skewed
    /// All owners have nearly the same number of children. If the relationship is optional, this is at most `limit`.
    case even(limit: Int?)
    /// Owners and children are the same objects: each owner has up to `fan` children, and the first object is the root.
    case tree(fan: Int)
    /// Owners and children are the same objects, and each has exactly one child.
    case ring
    /// One-to-one; `isFirst` says which end this is.
    case pairs(isFirst: Bool)
    /// One-to-one, and the relationship is its own inverse.
    case mates
  }

  /// A target: its number, and the object's place among the target's children.
  typealias Target = (number: Int, place: Int)

  let shape: Shape
  /// The objects that have the relationship, by number within their population.
  let sources: Range<Int>
  /// The possible targets, by number within their population.
  let targets: Range<Int>
  /// Whether sources and targets are of one population.
  let isOneFamily: Bool
  /// Whether the to-one relationship may be nil; for a one-to-one relationship, whether both ends may be nil.
  let isOptional: Bool
  /// The number of children that each owner needs.
  let minimum: Int
  private let seed: UInt64
  private let sourceOrder: Shuffle
  private let targetOrder: Shuffle

  /// - Parameter seed: The seed, which must be equal for both ends of a one-to-one relationship.
  init(
    _ shape: Shape, from sources: Range<Int>, to targets: Range<Int>, isOneFamily: Bool, isOptional: Bool,
    minimum: Int = 0, seed: UInt64
  ) {
    self.shape = shape
    self.sources = sources
    self.targets = targets
    self.isOneFamily = isOneFamily
    self.isOptional = isOptional
    self.minimum = minimum
    self.seed = seed
    let (one, other) = (SplitMix64.mix(seed), SplitMix64.mix(seed &+ 1))
    let isSame = isOneFamily && sources == targets
    let isSecond = shape == .pairs(isFirst: false)
    sourceOrder = Shuffle(sources.count, seed: isSame || !isSecond ? one : other)
    targetOrder = Shuffle(targets.count, seed: isSame || isSecond ? one : other)
  }

  func target(of number: Int) -> Target? {
    guard sources.contains(number), !targets.isEmpty else { return nil }
    let slot = sourceOrder.place(of: number - sources.lowerBound)
    guard let (index, place) = index(forSlot: slot) else { return nil }
    let target = targets.lowerBound + targetOrder.number(at: index)
    return (target, place)
  }

  /// Whether a random choice leaves an object without a target; true for about an eighth of the objects.
  private func isNil(_ slot: Int) -> Bool {
    var random = SplitMix64(seed, row: slot)
    return random.once(in: 8)
  }

  private func index(forSlot slot: Int) -> Target? {
    let found: Target?
    switch shape {
    case .free:
      var random = SplitMix64(seed &+ 2, row: slot)
      found = (random.below(targets.count), 0)
    case .skewed: found = skewed(slot)
    case .even(let limit):
      let place = slot / targets.count
      found = isOptional && place >= limit ?? .max ? nil : (slot % targets.count, place)
    case .tree(let fan):
      found = slot == 0 ? (isOptional ? nil : (0, fan)) : ((slot - 1) / fan, (slot - 1) % fan)
    case .ring: return ((slot + 1) % targets.count, 0)
    case .pairs(let isFirst): return partner(of: slot, isFirst: isFirst).map { ($0, 0) }
    case .mates:
      let mate = slot ^ 1
      return mate < targets.count && !(isOptional && isNil(min(slot, mate))) ? (mate, 0) : nil
    }
    guard let found, isOptional, found.place >= minimum else { return found }
    // If an object may have no target, it doesn't own itself.
    return isNil(slot) || isSameObject(slot, found.number) ? nil : found
  }

  private func isSameObject(_ slot: Int, _ index: Int) -> Bool {
    isOneFamily
      && sources.lowerBound + sourceOrder.number(at: slot) == targets.lowerBound + targetOrder.number(at: index)
  }

  /// The partner of an object.
  ///
  /// If both ends have the same objects, the partner is the next or the previous object. If not, it is the object at
  /// the same slot of the other end.
  private func partner(of slot: Int, isFirst: Bool) -> Int? {
    let isChain = isOneFamily && sources == targets
    let index = isChain ? (isFirst ? slot + 1 : slot + targets.count - 1) % targets.count : slot
    guard index < targets.count else { return nil }
    // Both ends use the slot of the object at the first end, so that they get the same result.
    let first = isFirst ? slot : index
    if isOptional, isNil(first) || isChain && first == targets.count - 1 { return nil }
    return index
  }

  /// The owner of the k-th child has the number (k / children)² · owners, so the first owner has the most children.
  private func skewed(_ slot: Int) -> Target {
    let owner = owner(ofChild: slot)
    var first = Int((Double(sources.count) * (Double(owner) / Double(targets.count)).squareRoot()).rounded())
    first = min(max(first, 0), slot)
    while first > 0, self.owner(ofChild: first - 1) >= owner { first -= 1 }
    while first < slot, self.owner(ofChild: first) < owner { first += 1 }
    return (owner, slot - first)
  }

  private func owner(ofChild child: Int) -> Int {
    let share = Double(child) / Double(sources.count)
    return min(targets.count - 1, Int(Double(targets.count) * (share * share)))
  }
}

extension ToOneLinks {
  /// A sentence about a rule of the model that these numbers of objects can't satisfy; `nil` if there is none.
  func shortcoming(of property: StoreLayout.Property, isRequired: Bool) -> String? {
    guard !sources.isEmpty else { return nil }
    if targets.isEmpty {
      return isRequired
        ? "\(property): \(counted(sources.count, "object has", "objects have")) no target, because there is none"
        : nil
    }
    let surplus = sources.count - targets.count
    switch shape {
    case .even(let limit):
      if sources.count < minimum * targets.count {
        return
          "\(property): \(counted(sources.count, "object is", "objects are")) too few to give \(counted(targets.count, "owner")) \(minimum) each"
      }
      if let limit, !isOptional, sources.count > limit * targets.count {
        return
          "\(property): \(counted(sources.count, "object is", "objects are")) too many for \(counted(targets.count, "owner")) with at most \(limit) each"
      }
      return nil
    case .tree(let fan):
      return isRequired
        ? "\(property): the root leads to itself and has \(counted(fan + 1, "child", "children"))" : nil
    case .ring: return minimum > 1 ? "\(property): each owner has 1 child instead of \(minimum)" : nil
    case .pairs:
      return isRequired && surplus > 0
        ? "\(property): \(counted(surplus, "object has", "objects have")) no partner" : nil
    case .mates:
      return isRequired && sources.count % 2 == 1 ? "\(property): one object has no partner" : nil
    case .free, .skewed: return nil
    }
  }
}
