internal import DecantModel

/// The data for `others: "infer"` in a text: the inputs of inference, and the entities of other passes.
///
/// A source entity gets an inferred entity mapping if it can have objects, and if no entity mapping of the pair of
/// versions names it. The inferred entity mapping has the same rows as in an inferred step.
public struct OtherEntities: Sendable {
  private let renames: Renames
  private let history: RenameHistory
  /// Source entities that other mapping models of the pair of versions name.
  private let taken: Set<String>
  /// The names of the entity mappings in the other mapping models of the pair of versions.
  private let names: Set<String>

  /// - Parameters:
  ///   - renames: Renames that aren't in the models.
  ///   - history: The renaming identifiers of the family's versions.
  ///   - passes: The other mapping models of the same pair of versions.
  public init(
    renames: Renames = .none, history: RenameHistory = RenameHistory(),
    besides passes: [MappingModelReading] = []
  ) {
    self.renames = renames
    self.history = history
    taken = Set(passes.flatMap(\.sourceEntityNames))
    names = Set(passes.flatMap(\.entityMappingNames))
  }

  struct Added {
    var mappings: [EntityMapping] = []
    var losses = MappingModel.InferredLosses()

    /// `PropertyRule` looks among these drafts for the entity mapping that makes a relationship's objects.
    var drafts: [EntityMappingDraft] {
      mappings.map { mapping in
        var draft = EntityMappingDraft()
        draft.name = mapping.name
        draft.sourceEntityName = mapping.sourceEntityName
        draft.destinationEntityName = mapping.destinationEntityName
        return draft
      }
    }
  }

  /// The entity mappings for entities that a text doesn't name.
  ///
  /// - Parameter problem: Makes an error of the file from a sentence.
  func added(
    to mappings: [EntityMappingDraft], from source: ManagedObjectModel, to destination: ManagedObjectModel,
    problem: (String) -> MappingModelError
  ) throws(MappingModelError) -> Added {
    let known = taken.union(mappings.compactMap(\.sourceEntityName))
    let others = source.entities.filter { !$0.isAbstract && !known.contains($0.name) }
    guard !others.isEmpty else { return Added() }
    let attempt = InferenceAttempt(from: source, to: destination, renames: renames, history: history)
    let open = Set(others.map(\.name))
    var names = names.union(mappings.map(\.compiledName))
    var added = Added()
    var problems: [String] = []
    for entity in others {
      guard let counterpart = attempt.entities.destination(of: entity.name), !counterpart.isAbstract,
        let pair = attempt.pairs[counterpart.name]
      else {
        problems.append(
          "no destination entity continues the entity “\(entity.name)”; add an entity mapping for it, or say "
            + "{ remove: \"\(entity.name)\" }")
        continue
      }
      let refusals = attempt.refusals(of: pair, among: open)
      problems += refusals.map { "\($0); add an entity mapping for “\(entity.name)”" }
      var mapping = pair.mapping
      mapping.name = Self.unused(mapping.name, &names)
      added.mappings.append(mapping)
      added.losses.lostTargets += pair.lostTargets.map { lost in
        var lost = lost
        lost.entityMapping = mapping.name
        return lost
      }
    }
    if let error = Self.error(problems, problem) { throw error }
    added.losses.drops = DropList(attempt.entities, attempt.pairs).drops.compactMap { drop in
      var drop = drop
      drop.entities = drop.entities.filter(open.contains)
      return drop.kind == .entity || drop.entities.isEmpty ? nil : drop
    }
    return added
  }

  private static func error(
    _ problems: [String], _ problem: (String) -> MappingModelError
  ) -> MappingModelError? {
    guard let first = problems.first else { return nil }
    let errors = problems.map { problem("“others” can't be inferred: \($0)") }
    return errors.count == 1 ? errors[0] : .several(path: problem(first).path, errors)
  }

  private static func unused(_ name: String, _ names: inout Set<String>) -> String {
    var (candidate, number) = (name, 2)
    while !names.insert(candidate).inserted {
      candidate = "\(name) \(number)"
      number += 1
    }
    return candidate
  }
}

extension InferenceAttempt {
  /// The refusal to merge hierarchies is left out if a mapping model names one of the entities in the refusal.
  fileprivate func refusals(of pair: EntityPair, among open: Set<String>) -> [InferenceError] {
    let name = pair.destination.name
    return refusals.filter { refusal in
      if case .mergedHierarchies(let root, let sources) = refusal {
        return destination(name, isOf: root) && open.isSuperset(of: sources)
      }
      return refusal.entities.contains(name) || refusal.properties.contains { $0.entity == name }
    }
  }

  private func destination(_ name: String, isOf root: String) -> Bool {
    entities.destination.root(of: name)?.name == root
  }
}
