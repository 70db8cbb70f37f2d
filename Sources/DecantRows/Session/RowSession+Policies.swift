internal import DecantPasses
internal import DecantPolicies
internal import Foundation

/// The instances of policies, and their states between processes.
extension RowSession {
  func currentPolicy() throws -> EntityMigrationPolicy {
    let number = manager.currentEntityMapping.number
    guard let policy = policies[number] else { throw PolicyProblem.unknownMapping("\(number)") }
    return policy
  }

  /// The policy of a mapping; a new instance resumes from the state that an earlier process has written, if any.
  ///
  /// - Parameter isFirst: Whether the mapping begins now. Then a state isn't read.
  func policy(of mapping: MigrationEntityMapping, isFirst: Bool) throws -> EntityMigrationPolicy {
    if let known = policies[mapping.number] { return known }
    let policy: EntityMigrationPolicy
    if let name = mapping.entityMigrationPolicyClassName {
      guard let type = registry.policy(named: name) else { throw PolicyProblem.unknownClass(name) }
      policy = type.init()
    } else {
      policy = EntityMigrationPolicy()
    }
    policies[mapping.number] = policy
    if let resumable = policy as? any ResumableMigrationPolicy {
      if !isFirst, let state = try PolicyStates(database).state(of: mapping.number) {
        isTouchedInResume = false
        try resumable.resume(from: state, manager: manager)
        // `resume` has read or changed relationships. So the remaining objects are related one by one, too: statements
        // over the whole chunk would add their pairs to those that `resume` has set.
        if isTouchedInResume { try counts.add(1, RowCounts.oneByOne, mapping: mapping.number) }
      }
    } else if Self.keepsState(policy) {
      stateful.insert(mapping.number)
    }
    return policy
  }

  /// Writes the state of a resumable policy, or forgets the policy if its mapping is over.
  func keepState(of policy: EntityMigrationPolicy, _ number: Int, isOver: Bool) throws {
    if isOver {
      policies[number] = nil
      stateful.remove(number)
    } else if let resumable = policy as? any ResumableMigrationPolicy {
      try PolicyStates(database).write(try resumable.resumptionState(manager: manager), of: number)
    }
  }

  /// Whether an instance has stored properties.
  static func keepsState(_ policy: EntityMigrationPolicy) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: policy)
    while let one = mirror, one.subjectType != EntityMigrationPolicy.self {
      if !one.children.isEmpty { return true }
      mirror = one.superclassMirror
    }
    return false
  }
}
