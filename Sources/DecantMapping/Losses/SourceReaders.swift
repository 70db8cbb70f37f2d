/// For each source property, the entity mappings that read it.
///
/// The entity mappings come from all passes of one pair of versions. The number of an entity mapping is its place in
/// the list of the entity mappings of all passes, from 1.
public struct SourceReaders: Sendable, Hashable {
  /// A relationship mapping that gives the destination objects of a source relationship's targets.
  public struct Link: Sendable, Hashable {
    /// The destination relationship.
    public let relationship: String
    /// The entity mapping whose destination objects are used; `nil` if the objects of all entity mappings are used.
    public let mapping: String?

    init(_ relationship: String, mapping: String?) {
      self.relationship = relationship
      self.mapping = mapping
    }
  }

  /// The use of a property of an entity mapping's own source objects.
  public struct Use: Sendable, Hashable {
    /// Whether an attribute mapping, a relationship mapping, a filter or `uniqueBy` reads the property's value.
    public internal(set) var isValue = false
    /// For a relationship, the relationship mappings that lead to the destination objects of its targets.
    public internal(set) var links: [Link] = []
  }

  struct AttributeMappingKey: Sendable, Hashable {
    let mapping: Int
    let attribute: String
  }

  private let readers: [SourceReads.Property: [Int: Use]]
  private let readFromOtherObjects: Set<SourceReads.Property>
  private let seenByCode: Set<String>
  private let sources: [AttributeMappingKey: [String]]

  init(_ reads: SourceReads) {
    readers = reads.readers
    readFromOtherObjects = reads.readFromOtherObjects
    seenByCode = reads.seenByCode
    sources = reads.sources
  }

  /// The attributes of the entity mapping's own source objects that an attribute mapping reads, in reading order.
  ///
  /// - Parameters:
  ///   - attribute: The destination attribute.
  ///   - mapping: The entity mapping's number.
  public func sources(of attribute: String, mapping: Int) -> [String] {
    sources[AttributeMappingKey(mapping: mapping, attribute: attribute)] ?? []
  }

  /// The numbers of the entity mappings that read a property of their own source objects, and how they use it.
  ///
  /// - Returns: `nil` if an entity mapping reads the property of other objects, or if the application's code can read
  ///   the property. Then the values of all objects of the entity may be read.
  public func readers(of property: String, entity: String) -> [Int: Use]? {
    let property = SourceReads.Property(entity: entity, name: property)
    guard !readFromOtherObjects.contains(property), !seenByCode.contains(entity) else { return nil }
    return readers[property] ?? [:]
  }
}
