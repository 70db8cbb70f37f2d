internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The objects that an entity mapping makes of rows: how many, and what their columns hold.
struct MadeObjects {
  /// Among all entity mappings of the step, from 1.
  let number: Int
  let mapping: EntityMapping
  let source: StoreLayout
  let destination: StoreLayout
  /// The rows that it takes.
  let taken: EntityWeight
  let sample: RowSample?

  /// Objects for each row that are added to what a few rows tell.
  private static let leastDistinct = 0.02
  /// Of a calculated value of which nothing is known, beside what it is calculated of.
  private static let bytesOfValue = 16.0
  /// Of an object by a value, beside the value: the association, and what says where it is.
  private static let bytesOfUnique = 40.0
  /// Of a row that has such an object: its association.
  private static let bytesOfShared = 8.0
  /// How much larger values in any order come to be, with the pages that are written once more.
  private static let disorder = 2.0

  /// The part of the rows that there are objects of; where nobody has looked there may be as many as rows.
  var share: Double {
    mapping.uniqueBy == nil ? 1 : min(1, (sample?.distinct ?? 1) + Self.leastDistinct)
  }

  /// Whether a value of any length goes on: one of a text or of binary data.
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

  /// Whether values that are files of their own become part of rows.
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

  /// The objects by the columns of the destination.
  func weight() -> EntityWeight {
    var made = EntityWeight(rows: taken.rows * share)
    let entity = mapping.destinationEntityName ?? ""
    guard mapping.policy == nil else {
      // A policy may make of each row what it likes.
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

  /// What associations and values take that are only there while it works.
  var working: Double {
    guard mapping.uniqueBy != nil else { return 0 }
    let length = StoreWeight.stored(sample?.uniqueLength ?? Self.bytesOfValue)
    return taken.rows * share * (Self.bytesOfUnique + length) * Self.disorder + taken.rows * Self.bytesOfShared
  }

  /// The bytes of a row's value.
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

  /// Of each row, the bytes of a source attribute.
  private func column(_ name: String) -> Double {
    guard taken.rows > 0, let column = source.attributeColumn(name, of: mapping.sourceEntityName ?? "") else {
      return 0
    }
    return (taken.columns[column] ?? 0) / taken.rows
  }

  /// Of each row, the bytes of the source attributes that a text names.
  private func named(in text: String) -> Double {
    let words = Self.words(of: text)
    return source.model.attributes(of: mapping.sourceEntityName ?? "").map(\.name).filter(words.contains)
      .reduce(0) { $0 + column($1) }
  }

  /// The words of an expression, those in its texts among them.
  static func words(of text: String) -> Set<String> {
    Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }
}
