internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// The relationships that one entity mapping sets.
///
/// It handles one source object after the other, like changes of a graph of objects. The kept associations answer each
/// look-up.
struct ExpectedLinks {
  let expected: ExpectedStore
  let mapping: PassPlan.Mapping
  private var plan: PassPlan { expected.plan }

  init(_ expected: ExpectedStore, _ mapping: PassPlan.Mapping) {
    self.expected = expected
    self.mapping = mapping
  }

  /// A relationship mapping with an expression.
  private struct Row {
    let relationship: Relationship
    /// The entity mapping of the targets; `nil` for any.
    let name: String?
    /// The expression for the source objects; `nil` for none.
    let sources: FormatExpression?
    let writer: LinkWriter
  }

  /// One target of a relationship, and the pass that made it.
  private struct Target {
    let key: Int
    let pass: Int
    /// Whether its mapping has an expression for the inverse.
    let isMapped: Bool
  }

  /// Sets the relationships that can be set after the mapping's pass has made its objects.
  func set(_ findings: inout Findings) throws {
    let isShared = mapping.mapping.uniqueBy != nil
    for row in try rows(&findings) {
      if isShared { try row.writer.beginClaims() }
      try eachOwner { owner, source in
        let targets = try self.targets(row, source).filter { $0.pass <= mapping.pass }.map(\.key)
        if isShared {
          try row.writer.add(targets, to: owner)
        } else {
          try row.writer.set(targets, of: owner)
        }
      }
    }
  }

  /// Sets references to objects of later passes.
  ///
  /// The inverses set by these passes take precedence.
  func setWaiting(_ findings: inout Findings) throws {
    var ignored = Findings()
    for row in try rows(&ignored)
    where plan.mappings.contains(where: { leads(row, to: $0) && $0.pass > mapping.pass }) {
      try row.writer.beginClaims()
      let isPlaced = row.relationship.isOrdered && mapping.mapping.uniqueBy == nil
      try eachOwner { owner, source in
        let all = try targets(row, source)
        let added = all.filter { $0.pass > mapping.pass && !$0.isMapped }.map(\.key)
        try row.writer.addWaiting(all.map(\.key), of: owner, adding: Set(added), places: isPlaced)
      }
    }
  }

  private func rows(_ findings: inout Findings) throws(SQLiteError) -> [Row] {
    // Relationships that a policy may set aren't compared.
    guard expected.kept[mapping.number]?.policy == nil else { return [] }
    var rows: [Row] = []
    for row in mapping.mapping.relationshipMappings {
      guard
        let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
        !relationship.isTransient,
        let writer = try LinkWriter(relationship, of: mapping.destination, in: expected)
      else { continue }
      var name: String?
      var sources: FormatExpression?
      switch row.value {
      case .unset: continue
      case .source(let relationship): sources = .path(from: .variable("source"), [.key(relationship)])
      case .expression(.constant(.null)): break
      case .expression(let expression):
        guard let lookup = DestinationLookup(expression) else {
          expected.unjudgedProperties[.init(entity: mapping.destination, name: relationship.name)] = 1
          continue
        }
        guard !expected.code.isMissing(expression) else {
          expected.unjudgedProperties[.init(entity: mapping.destination, name: relationship.name)] = 1
          continue
        }
        sources = Self.plainPath(lookup.sources)
        if case .entityMapping(let wanted) = lookup.kind { name = wanted }
      }
      if relationship.isOrdered, let sources, !Self.isDirect(sources) {
        expected.unorderedProperties.insert(.init(entity: mapping.destination, name: relationship.name))
      }
      rows.append(Row(relationship: relationship, name: name, sources: sources, writer: writer))
    }
    return rows
  }

  /// A path without the distinct unions of its own collections.
  ///
  /// Evaluating gives these as a flat list, and each object is used once.
  private static func plainPath(_ expression: FormatExpression) -> FormatExpression {
    guard case .keyPath(let path) = expression, path.operand == .variable("source") else { return expression }
    let steps = path.steps.filter { step in
      switch step {
      case .collection(.distinctUnionOfSets), .collection(.distinctUnionOfArrays),
        .collection(.distinctUnionOfObjects):
        false
      default: true
      }
    }
    return .path(from: path.operand, steps)
  }

  /// Whether the source objects have an order: `$source`, or one relationship of it.
  private static func isDirect(_ expression: FormatExpression) -> Bool {
    if expression == .variable("source") { return true }
    guard case .keyPath(let path) = expression, path.operand == .variable("source") else { return false }
    return path.steps.count == 1
  }

  private func leads(_ row: Row, to other: PassPlan.Mapping) -> Bool {
    (row.name == nil || other.mapping.name == row.name)
      && plan.destination.model.isKind(other.destination, of: row.relationship.destinationEntityName)
  }

  /// Calls the body for every object of the mapping, with its source object, in the order of source keys.
  private func eachOwner(_ body: (_ owner: Int, _ source: RowObject) throws -> Void) throws {
    let read = try expected.database.prepare(
      "SELECT s.Z_PK FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(mapping.sourceNumber) ORDER BY s.Z_PK")
    while try read.step() {
      let key = read.integer(0)
      guard
        let owner = try expected.lookup.destinations(of: key, mapping: mapping.number).first
          ?? expected.aside?.destination(of: key, mapping: mapping.number)
      else { continue }
      try body(owner, expected.rows.object(entity: mapping.source, key: Int64(key)))
    }
  }

  /// The different targets of a source object, in the order of the expression.
  private func targets(_ row: Row, _ source: RowObject) throws -> [Target] {
    guard let sources = row.sources else { return [] }
    let value = try sources.value(in: expected.context(of: source))
    let inverse = plan.destination.model.inverse(of: row.relationship)?.relationship.name
    var targets: [Target] = []
    var known: Set<Int> = []
    for object in Self.objects(in: value) {
      var found: [Target] = []
      for other in plan.mappings where other.source == object.entity && leads(row, to: other) {
        let isMapped = other.mapping.relationshipMappings.contains {
          $0.destinationName == inverse && $0.value != .unset
        }
        let keys = try expected.lookup.destinations(of: Int(object.key), mapping: other.number)
        let aside = try expected.aside?.destination(of: Int(object.key), mapping: other.number)
        found += (keys + (aside.map { [$0] } ?? [])).map {
          Target(key: $0, pass: other.pass, isMapped: isMapped)
        }
      }
      for target in found.sorted(by: { $0.key < $1.key }) where known.insert(target.key).inserted {
        targets.append(target)
      }
    }
    return targets
  }

  /// All objects in a value, also in nested collections.
  private static func objects(in value: Value) -> [RowObject] {
    switch value {
    case .object(let reference): (reference.object as? RowObject).map { [$0] } ?? []
    case .array(let members), .set(let members): members.flatMap(objects)
    default: []
    }
  }
}
