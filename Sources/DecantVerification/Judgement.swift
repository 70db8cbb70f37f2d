internal import DecantModel
internal import DecantPasses
internal import DecantStore

/// What a comparison with an expected store can judge.
///
/// The expected store notes in further tables what a policy may have changed.
struct Judgement {
  /// The table of objects whose values a policy may set, by the root entity's number.
  ///
  /// An object that is `filled` has the values that its entity mapping gives.
  static let unjudgedTable = "Z_EXPECTED_UNJUDGED"
  /// The table of the pairs that an entity mapping gives to the objects of its policy.
  ///
  /// Each owner has one further row, with the target `noTarget`. `entity` is the number of the owner's entity.
  static let pairTable = "Z_EXPECTED_PAIRS"
  /// The target in the further row of an owner: no object has this key.
  static let noTarget = Int64.min

  static let workTables = [
    unjudgedTable:
      "CREATE TABLE \(unjudgedTable) (root INTEGER, key INTEGER, filled INTEGER, PRIMARY KEY (root, key)) "
      + "WITHOUT ROWID",
    pairTable: "CREATE TABLE \(pairTable) (entity INTEGER, name TEXT, owner INTEGER, target INTEGER, "
      + "PRIMARY KEY (entity, name, owner, target)) WITHOUT ROWID",
  ]

  let layout: StoreLayout
  /// Properties that a comparison can't compute (`ComputableModels`).
  let unjudged: Set<StoreLayout.Property>
  /// Such properties in the objects of entity mappings with a policy.
  let leftToPolicies: Set<StoreLayout.Property>
  /// Whether a policy ran; a policy may have made further objects.
  let hasPolicies: Bool
  /// Whether a policy may have set values of objects.
  let hasUnjudged: Bool

  /// The condition for an object whose values and pairs can be judged.
  func isJudged(_ key: String, of entity: String, in schema: String = "source") -> String {
    guard hasUnjudged else { return "1" }
    let number = layout.rootNumber(of: entity) ?? 0
    return "NOT EXISTS (SELECT 1 FROM \(schema).\(Self.unjudgedTable) AS u "
      + "WHERE u.root = \(number) AND u.key = \(key))"
  }

  func isJudged(_ attribute: Attribute, of entity: Entity) -> Bool {
    !unjudged.contains(.init(entity: entity.name, name: attribute.name))
  }

  /// Whether a relationship can be judged, at both ends.
  func isJudged(_ relationship: StoreLayout.Property) -> Bool {
    let ends = [relationship, layout.model.inverse(of: relationship)].compactMap(\.self)
    return !unjudged.contains { open in
      ends.contains { open.name == $0.name && layout.model.isKind(open.entity, of: $0.entity) }
    }
  }
}
