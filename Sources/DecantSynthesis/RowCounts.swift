internal import DecantModel

/// Distributes rows over the concrete entities, so that relationships can have the counts that the model demands.
struct RowCounts {
  /// The number of rows of each concrete entity.
  private(set) var counts: [String: Int] = [:]
  private let model: ManagedObjectModel

  init(_ rows: Int, model: ManagedObjectModel) {
    self.model = model
    let names = model.rootEntities.flatMap { model.family(of: $0.name) }.filter { !$0.isAbstract }.map(\.name)
    guard !names.isEmpty else { return }
    for (index, name) in names.enumerated() {
      counts[name] = rows / names.count + (index < rows % names.count ? 1 : 0)
    }
    let demands = demands()
    settle(demands)
    settleRest(demands)
  }

  /// A condition: the number of objects of `many`, times `factor`, must not be larger than the number of objects of
  /// `few`, times `bound`.
  private struct Demand {
    let many: Set<String>
    let factor: Int
    let few: Set<String>
    let bound: Int
  }

  private func demands() -> [Demand] {
    var demands: [Demand] = []
    for entity in model.entities {
      for relationship in entity.relationships.sorted(by: { NameOrder.codePoints($0.name, $1.name) })
      where !relationship.isTransient && !relationship.isOptional {
        guard let inverse = model.inverse(of: relationship) else { continue }
        let (here, there) = (concrete(entity.name), concrete(relationship.destinationEntityName))
        let minimum = min(max(1, relationship.minimumCount), 1_000)
        let bound = min(inverse.relationship.maximumCount, Int(Int32.max))
        if !relationship.isToMany, bound > 0 {
          demands.append(Demand(many: here, factor: 1, few: there, bound: bound))
        } else if relationship.isToMany, !inverse.relationship.isToMany {
          demands.append(Demand(many: here, factor: minimum, few: there, bound: 1))
        }
      }
    }
    return demands
  }

  private func concrete(_ name: String) -> Set<String> {
    Set(model.family(of: name).filter { !$0.isAbstract }.map(\.name))
  }

  private func total(_ names: Set<String>) -> Int { names.reduce(0) { $0 + (counts[$1] ?? 0) } }

  /// Moves rows from entities with too many rows to entities with too few, until no more can be moved.
  ///
  /// It goes over the demands at most 200 times, because demands can contradict each other.
  private mutating func settle(_ demands: [Demand]) {
    for _ in 0..<200 {
      var isSettled = true
      for demand in demands {
        let donors = demand.many.subtracting(demand.few).sorted(by: NameOrder.codePoints)
        let recipients = demand.few.subtracting(demand.many).sorted(by: NameOrder.codePoints)
        let wanted = total(demand.many) * demand.factor - total(demand.few) * demand.bound
        guard wanted > 0, !donors.isEmpty, !recipients.isEmpty else { continue }
        let sum = demand.factor + demand.bound
        if move((wanted + sum - 1) / sum, from: donors, to: recipients) { isSettled = false }
      }
      if isSettled { return }
    }
  }

  /// Moves rows that still break a demand to entities that are in no demand's `many`.
  ///
  /// Such a row is, for example, the only one left without a partner in a one-to-one relationship.
  private mutating func settleRest(_ demands: [Demand]) {
    let recipients = counts.keys.filter { name in !demands.contains { $0.many.contains(name) } }
      .sorted(by: NameOrder.codePoints)
    guard !recipients.isEmpty else { return }
    for demand in demands {
      let wanted = total(demand.many) * demand.factor - total(demand.few) * demand.bound
      let donors = demand.many.subtracting(demand.few).subtracting(recipients).sorted(by: NameOrder.codePoints)
      guard wanted > 0, !donors.isEmpty else { continue }
      _ = move((wanted + demand.factor - 1) / demand.factor, from: donors, to: recipients)
    }
  }

  /// Moves rows, but leaves at least one row to each donor; false if no row was moved.
  private mutating func move(_ rows: Int, from donors: [String], to recipients: [String]) -> Bool {
    let spare = donors.reduce(0) { $0 + max(0, (counts[$1] ?? 0) - 1) }
    let wanted = min(rows, spare)
    var left = wanted
    for giver in donors where left > 0 {
      let count = counts[giver] ?? 0
      guard count > 1 else { continue }
      let share = min(count - 1, left, Int((Double(wanted) * Double(count - 1) / Double(spare)).rounded(.up)))
      counts[giver] = count - share
      left -= share
    }
    let moved = wanted - left
    for (index, recipient) in recipients.enumerated() {
      counts[recipient, default: 0] += moved / recipients.count + (index < moved % recipients.count ? 1 : 0)
    }
    return moved > 0
  }
}
