internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Estimates the objects that an entity mapping makes: their number and the bytes in their columns.
struct MadeObjects {
  /// The number among all entity mappings of the step, from 1.
  let number: Int
  let mapping: EntityMapping
  let source: StoreLayout
  let destination: StoreLayout
  /// The rows that it takes.
  let taken: EntityWeight
  let sample: RowSample?

  /// The number of objects per row that is added to the estimate of a sample.
  private static let leastDistinct = 0.02
  /// The bytes of a calculated value about which nothing is known, in addition to its inputs.
  private static let bytesOfValue = 16.0
  /// The bytes of an object of `uniqueBy`, in addition to its value: the association, and the entry that finds it.
  private static let bytesOfUnique = 40.0
  /// The bytes of a row with such an object: its association.
  private static let bytesOfShared = 8.0
  /// The growth factor for values in random order, including pages that are written again.
  private static let disorder = 2.0

  /// The number of objects per row; without a sample it is 1.
  var share: Double {
    mapping.uniqueBy == nil ? 1 : min(1, (sample?.distinct ?? 1) + Self.leastDistinct)
  }

  /// Whether a value of any length is copied: a text or binary data.
  var carriesLongValues: Bool {
    guard mapping.policy == nil else { return true }
    let words = mapping.attributeMappings.reduce(into: Set<String>()) { words, row in
      if let expression = row.value.expression { words.formUnion(Self.words(of: "\(expression)")) }
    }
    return mapping.attributeMappings.contains { $0.value.isCalculated }
      || source.model.attributes(of: mapping.sourceEntityName ?? "").contains {
        words.contains($0.name) && [.string, .binary, .transformable, .uri].contains($0.type)
      }
  }

  /// Whether values in external files become part of rows.
  var takesFilesIn: Bool {
    let external = source.model.attributes(of: mapping.sourceEntityName ?? "")
      .filter(\.allowsExternalBinaryDataStorage).map(\.name)
    guard !external.isEmpty, mapping.policy == nil else { return false }
    return mapping.attributeMappings.contains { row in
      guard let expression = row.value.expression,
        destination.model.attribute(row.destinationName, of: mapping.destinationEntityName ?? "")?
          .allowsExternalBinaryDataStorage == false
      else { return false }
      return !Self.words(of: "\(expression)").isDisjoint(with: external)
    }
  }

  /// The objects' weight, by the columns of the destination.
  func weight() -> EntityWeight {
    var made = EntityWeight(rows: taken.rows * share)
    let entity = mapping.destinationEntityName ?? ""
    guard mapping.policy == nil else {
      // It isn't known what a policy makes from a row.
      made.others = taken.bytes
      return made
    }
    for attribute in destination.model.attributes(of: entity) {
      guard let column = destination.attributeColumn(attribute.name, of: entity) else { continue }
      let value = mapping.attributeMappings.first { $0.destinationName == attribute.name }?.value
      let ofRow = sample?.lengths[attribute.name] ?? bytes(of: value, attribute)
      made.columns[column, default: 0] += ofRow * made.rows
    }
    return made
  }

  /// The bytes of associations and values that exist only while the step runs.
  var working: Double {
    guard mapping.uniqueBy != nil else { return 0 }
    let length = StoreWeight.stored(sample?.uniqueLength ?? Self.bytesOfValue)
    return taken.rows * share * (Self.bytesOfUnique + length) * Self.disorder + taken.rows * Self.bytesOfShared
  }

  /// The bytes of one row's value.
  private func bytes(of value: AttributeMapping.Value?, _ attribute: Attribute) -> Double {
    let standard = attribute.defaultValue.map { Double(SQLLiteral.text($0).utf8.count) } ?? 0
    switch value {
    case .source(let name): return column(name)
    case .sourceOrDefault(let name): return column(name) + standard
    case .expression(let expression):
      return expression.sourceKey.map(column) ?? Self.bytesOfValue + named(in: "\(expression)")
    case .defaultValue, .unset, nil:
      guard let derivation = attribute.derivationExpression else { return standard }
      return Self.bytesOfValue + named(in: "\(derivation)")
    case .derived: return Self.bytesOfValue + named(in: attribute.derivationExpression.map { "\($0)" } ?? "")
    }
  }

  /// The average bytes of a source attribute per row.
  private func column(_ name: String) -> Double {
    guard taken.rows > 0, let column = source.attributeColumn(name, of: mapping.sourceEntityName ?? "") else {
      return 0
    }
    return (taken.columns[column] ?? 0) / taken.rows
  }

  /// The average bytes per row of the source attributes that a text names.
  private func named(in text: String) -> Double {
    let words = Self.words(of: text)
    return source.model.attributes(of: mapping.sourceEntityName ?? "").map(\.name).filter(words.contains)
      .reduce(0) { $0 + column($1) }
  }

  /// The words of an expression, including those in its texts.
  static func words(of text: String) -> Set<String> {
    Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }
}
