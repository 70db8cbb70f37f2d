/// A fetch request as a model keeps it: a named template, or the request of a fetched property
/// (docs/formats/model-files.md 2.6, 2.7).
public struct FetchRequestTemplate: Sendable, Hashable {
  public var name: String
  public var entityName: String
  /// Predicate in format text; `nil` if the request has none, or if a compiled model's predicate can't be read.
  public var predicateFormat: String?
  public var fetchLimit: Int
  public var fetchBatchSize: Int
  /// The kind of results: 0 for objects, 1 for object identifiers, 2 for dictionaries.
  public var resultType: Int
  /// The flags that the file sets, by their names in the file (`includeSubentities`, …).
  public var flags: [String: Bool]

  public init(
    name: String, entityName: String, predicateFormat: String? = nil, fetchLimit: Int = 0,
    fetchBatchSize: Int = 0, resultType: Int = 0, flags: [String: Bool] = [:]
  ) {
    self.name = name
    self.entityName = entityName
    self.predicateFormat = predicateFormat
    self.fetchLimit = fetchLimit
    self.fetchBatchSize = fetchBatchSize
    self.resultType = resultType
    self.flags = flags
  }
}

/// A fetched property; it is not stored and not part of a version hash.
public struct FetchedProperty: Sendable, Hashable {
  public var name: String
  public var isOptional: Bool
  public var request: FetchRequestTemplate?
  public var userInfo: [String: String]

  public init(
    name: String, isOptional: Bool = false, request: FetchRequestTemplate? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.isOptional = isOptional
    self.request = request
    self.userInfo = userInfo
  }
}
