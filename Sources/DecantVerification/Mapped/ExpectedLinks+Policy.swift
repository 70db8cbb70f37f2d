internal import DecantPasses
internal import DecantPolicies

/// The pairs that a policy's entity mapping states.
extension ExpectedLinks {
  /// The place of a target in the row that notes an owner whose targets are known: no object has this key.
  static let noTarget = Int64.min

  /// Notes these pairs, so that the report can name those that the policy changed.
  ///
  /// They are not set: a policy may set any pair.
  ///
  /// An owner whose relationship can't be computed is left out.
  func noteForPolicy() throws {
    guard expected.policy(of: mapping) != nil,
      let number = expected.plan.destination.entityNumbers[mapping.destination]
    else { return }
    session.begin(mapping)
    for row in try relationships("policy") {
      try eachOwner { object, owner, source, _ in
        guard object.entity.entity.name == mapping.destination else { return }
        let targets: [ManagedObject]
        do {
          targets = try session.targets(row.mapping, of: source, object, row.link.relationship)
        } catch is ExpressionFault {
          return
        }
        let taken = row.link.relationship.isToMany ? targets[...] : targets.prefix(1)
        for target in [Self.noTarget] + taken.map(\.objectID.key) {
          try rows.statements.run(
            "INSERT OR IGNORE INTO main.\(ExpectedStore.policyPairs) VALUES (?, ?, ?, ?)",
            [
              .integer(Int64(number)), .text(row.mapping.destinationName), .integer(owner.key),
              .integer(target),
            ])
        }
      }
    }
    try rows.endChunk()
  }
}
