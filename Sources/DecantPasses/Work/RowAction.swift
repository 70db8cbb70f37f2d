/// What a piece of work does row by row, if it has no statements; entity mappings are given by their numbers.
package enum RowAction: Sendable, Hashable {
  case begin(Int)
  case create(Int)
  case endCreation(Int)
  case relate(Int)
  /// Writes the pairs of one of the mapping's join tables, given by its index.
  case pair(Int, Int)
  case endRelations(Int)
  case validate(Int)
  case end(Int)
  /// Sets the links of policy programs that still wait, then drops the indexes for look-ups.
  case finish

  /// The number of the entity mapping; `nil` for `finish`.
  package var mapping: Int? {
    switch self {
    case .begin(let number), .create(let number), .endCreation(let number), .relate(let number),
      .pair(let number, _), .endRelations(let number), .validate(let number), .end(let number):
      number
    case .finish: nil
    }
  }

  /// The name of the policy's method, without parameters; empty for `finish`.
  package var word: String {
    switch self {
    case .begin: "begin"
    case .create: "createDestinationInstances"
    case .endCreation: "endInstanceCreation"
    case .relate, .pair: "createRelationships"
    case .endRelations: "endRelationshipCreation"
    case .validate: "performCustomValidation"
    case .end: "end"
    case .finish: ""
    }
  }
}
