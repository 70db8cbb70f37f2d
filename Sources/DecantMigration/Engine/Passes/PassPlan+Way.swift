internal import DecantMapping

extension PassPlan {
  /// Whether an entity mapping runs over whole chunks of rows, or row by row and why.
  func way(of mapping: Mapping) -> MigrationPlan.Way {
    if let policy = mapping.mapping.policy { return .rows(reason: "its objects are made by \(policy.words)") }
    do throws(NotSet) {
      _ = try CreateWork(self, mapping).works()
      let relate = RelateWork(self, mapping)
      _ = try relate.works()
      _ = try relate.waiting()
      return .set
    } catch {
      return .rows(reason: (error.property.map { "“\($0)”: " } ?? "") + error.reason)
    }
  }
}

extension EntityMapping.Policy {
  /// The class or program, for messages.
  var words: String {
    switch self {
    case .className(let name): "the class \(name)"
    case .program(let words): "the program \(words.first ?? "")"
    }
  }
}
