/// What is done with the targets of a relationship when its owner is deleted; the numbers are those of compiled models
/// (docs/formats/model-files.md 2.5).
public enum DeleteRule: Int, Sendable, Hashable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3
}

/// A relationship from the entity that declares it.
public struct Relationship: Sendable, Hashable {
  public var name: String
  /// The name of the destination entity.
  public var destinationEntityName: String
  /// The inverse relationship of the destination entity; `nil` if there is none.
  public var inverseName: String?
  public var isOptional: Bool
  public var isTransient: Bool
  public var isIndexed: Bool
  public var isOrdered: Bool
  public var minimumCount: Int
  /// The maximum count: 1 for to-one, and a number above 1 for to-many.
  ///
  /// To-many without a limit has 0 or -1 (docs/formats/model-files.md 2.5, 4.3).
  public var maximumCount: Int
  public var deleteRule: DeleteRule
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// Predicates of compiled models; the target or the set of targets is their `SELF`.
  public var validationPredicates: [ValidationPredicate]
  public var userInfo: [String: String]

  public init(
    name: String, destinationEntityName: String, inverseName: String? = nil, isOptional: Bool = false,
    isTransient: Bool = false, isIndexed: Bool = false, isOrdered: Bool = false,
    minimumCount: Int = 0, maximumCount: Int = 1, deleteRule: DeleteRule = .nullify,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    validationPredicates: [ValidationPredicate] = [], userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isIndexed = isIndexed
    self.isOrdered = isOrdered
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.validationPredicates = validationPredicates
    self.userInfo = userInfo
  }

  public var isToMany: Bool { maximumCount != 1 }
}
