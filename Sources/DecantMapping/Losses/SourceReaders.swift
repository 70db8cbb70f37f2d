/// For each source property, the entity mappings that read it.
///
/// They come from all mapping models of one pair of versions.
/// Entity mappings have numbers: their places in the list of all passes, from 1.
public struct SourceReaders: Sendable, Hashable {
  /// A relationship mapping that gives the destination instances of a source relationship's targets.
  public struct Link: Sendable, Hashable {
    /// The destination relationship.
    public let relationship: String
    /// The entity mapping whose destination instances are used; `nil` if those of all entity mappings are used.
    public let mapping: String?

    init(_ relationship: String, mapping: String?) {
      self.relationship = relationship
      self.mapping = mapping
    }
  }

  /// The use of a property of an entity mapping's own source objects.
  public struct Use: Sendable, Hashable {
    /// Whether an expression, filter or `uniqueBy` reads its value.
    public internal(set) var isValue = false
    /// The relationship mappings that lead to the destination instances of its targets.
    public internal(set) var links: [Link] = []
  }

  /// An attribute mapping of an entity mapping.
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

  /// The attributes of its own source objects that an attribute mapping reads, in reading order.
  ///
  /// - Parameters:
  ///   - attribute: The destination attribute.
  ///   - mapping: The entity mapping's number.
  public func sources(of attribute: String, mapping: Int) -> [String] {
    sources[AttributeMappingKey(mapping: mapping, attribute: attribute)] ?? []
  }

  /// The entity mappings that read a property of their own source objects.
  ///
  /// `nil` if other entity mappings or the app's code can read the property. They may read it in any object of the
  /// entity.
  public func readers(of property: String, entity: String) -> [Int: Use]? {
    let property = SourceReads.Property(entity: entity, name: property)
    guard !readFromOtherObjects.contains(property), !seenByCode.contains(entity) else { return nil }
    return readers[property] ?? [:]
  }
}
