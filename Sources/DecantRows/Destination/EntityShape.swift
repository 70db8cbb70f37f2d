internal import DecantExpressions
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore
internal import DecantTransformers
internal import PredicateFormat

/// The structure of one destination entity's rows: columns, first values, and the places of properties.
final class EntityShape {
  /// A relationship with its storage and its inverse.
  final class Link {
    let relationship: Relationship
    let storage: RelationshipStorage
    let inverse: (name: String, isToMany: Bool)?
    /// For a to-one relationship, the column of the row itself that has the target's key.
    ///
    /// For a to-many relationship, the column that has the owner's key: in the targets' table or in a join table.
    ///
    /// `entityColumn` has the entity number of the same object, and `orderColumn` the ordering key. All three are in
    /// one table.
    let column: String
    let entityColumn: String?
    let orderColumn: String?
    /// The index of `column` in the row itself; `nil` for a to-many relationship.
    let index: Int?
    /// The entity of the last target that was accepted; the next target usually has the same entity.
    var fitting: String?

    init(
      relationship: Relationship, storage: RelationshipStorage, inverse: (name: String, isToMany: Bool)?,
      indexes: [String: Int]
    ) {
      self.relationship = relationship
      self.storage = storage
      self.inverse = inverse
      let isToOne = storage.kind == .owners
      column = isToOne ? storage.target : storage.owner
      entityColumn = storage.entityColumn
      orderColumn = isToOne ? storage.inverseOrder : storage.order
      index = isToOne ? indexes[storage.target] : nil
    }
  }

  final class Stored {
    let column: AttributeColumn
    let fit: AttributeFit
    let index: Int
    /// How values become bytes; `nil` if the attribute isn't transformable.
    let transformed: TransformedAttribute?

    init(_ column: AttributeColumn, _ fit: AttributeFit, index: Int, transformed: TransformedAttribute?) {
      self.column = column
      self.fit = fit
      self.index = index
      self.transformed = transformed
    }
  }

  /// The storage of a property.
  enum Place {
    case attribute(Stored)
    /// A composite attribute: its elements with their names.
    case composite([(name: String, stored: Stored)])
    case link(Link)
    case transient
    case derived
    case unknown
  }

  /// The number of columns that every row begins with: key, entity, version.
  static let head = 3

  let entity: String
  let root: String
  let number: Int
  let rootNumber: Int
  let table: StoreLayout.Table
  let places: [String: Place]
  private let names: NameTable
  private let named: ContiguousArray<Place>
  let indexes: [String: Int]
  /// The first value of each column in a new row; NULL for the first three columns, which are written separately.
  let defaults: ContiguousArray<SQLiteValue>
  /// The indexes of columns with large values, which are read separately.
  let large: Set<Int>
  let insert: String
  /// `insert` as a prepared statement; `nil` until a row is written.
  var inserting: SQLiteStatement?
  /// The statements that set some columns of a row, by the columns' indexes.
  var updating: [[Int]: SQLiteStatement] = [:]
  /// The entity as policies see it.
  let description: EntityDescription
  let objectClass: ManagedObject.Type
  /// Contents that are no longer referenced, for a later object.
  var idle: DestinationContents?
  /// An object that is no longer referenced, for a later row; the object still has its contents.
  var spare: ManagedObject?
  /// The number of made objects minus the number of deleted objects, since the last call of `takeMade`.
  var made = 0

  /// - Parameters:
  ///   - now: The first value of attributes that are derived from `now()`.
  ///   - scope: What the step's transformable attributes share.
  init?(
    _ entity: String, in layout: StoreLayout, now: Double, description: EntityDescription,
    objectClass: ManagedObject.Type, _ scope: ArchiveScope
  ) throws {
    guard let table = layout.table(of: entity), let number = layout.entityNumbers[entity],
      let rootNumber = layout.entityNumbers[table.rootEntity]
    else { return nil }
    self.entity = entity
    self.description = description
    self.objectClass = objectClass
    self.table = table
    self.number = number
    self.rootNumber = rootNumber
    root = table.rootEntity
    let indexes = Dictionary(
      table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.indexes = indexes
    var defaults = ContiguousArray(repeating: SQLiteValue.null, count: table.columns.count)
    var large: Set<Int> = []
    var places: [String: Place] = [:]
    for attribute in layout.model.attributes(of: entity) {
      let fit = AttributeFit(attribute, entity: entity)
      guard !attribute.isTransient else {
        places[attribute.name] = .transient
        continue
      }
      guard let column = AttributeColumn(attribute, of: entity, in: layout), let index = indexes[column.column]
      else {
        places[attribute.name] = .unknown
        continue
      }
      if column.isLarge { large.insert(index) }
      if let expression = attribute.derivationExpression {
        places[attribute.name] = .derived
        if DerivationKind(expression, entity: entity, layout: layout) == .now { defaults[index] = .real(now) }
        continue
      }
      places[attribute.name] = .attribute(
        Stored(column, fit, index: index, transformed: TransformedAttribute(attribute, of: entity, scope)))
      if let value = attribute.defaultValue { defaults[index] = try fit.stored(Value(value)) }
    }
    for attribute in layout.model.attributes(of: entity).declared where attribute.type == .composite {
      let elements = layout.model.elements(ofComposite: attribute.name, of: entity)
      let stored = elements.compactMap { own -> (name: String, stored: Stored)? in
        guard case .attribute(let stored)? = places[own.name], let element = own.element else { return nil }
        return (element.name, stored)
      }
      if !elements.isEmpty { places[attribute.name] = stored.isEmpty ? .transient : .composite(stored) }
    }
    for relationship in layout.model.relationships(of: entity) {
      places[relationship.name] =
        relationship.isTransient
        ? .transient : Self.link(relationship, entity, layout, indexes).map(Place.link) ?? .unknown
    }
    self.defaults = defaults
    self.large = large
    self.places = places
    names = NameTable(Array(places.keys))
    named = ContiguousArray(places.values)
    insert =
      "INSERT INTO main.\(quoted(table.name)) (\(table.columns.map { quoted($0.name) }.joined(separator: ", "))) "
      + "VALUES (\(table.columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// The storage of a property; the search is fast enough for a call in each row.
  func place(of name: String) -> Place? { names.place(of: name).map { named[$0] } }

  private static func link(
    _ relationship: Relationship, _ entity: String, _ layout: StoreLayout, _ indexes: [String: Int]
  ) -> Link? {
    guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout) else {
      return nil
    }
    let inverse = layout.model.inverse(of: relationship)
    let other = inverse.map { (name: $0.relationship.name, isToMany: $0.relationship.isToMany) }
    return Link(relationship: relationship, storage: storage, inverse: other, indexes: indexes)
  }
}
