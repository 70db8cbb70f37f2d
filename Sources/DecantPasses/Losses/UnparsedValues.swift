internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// Finds texts that the conversions of mapping models can't parse, so that the new object has nil instead.
///
/// A conversion is an expression with `parseNumber`, `parseDate` or `parseUUID` that doesn't say what a failure gives.
/// An object loses a text if each conversion of the text gives nil, and no other expression copies the text.
///
/// If source objects share one object by `uniqueBy`, only the first source object shows whether its text can be parsed.
/// Then the losses can't be counted, unless `uniqueBy` is the text itself.
package struct UnparsedValues {
  private(set) var found = MappedLosses.Found()
  private let rows: TakenRows
  private let readers: SourceReaders

  init(_ rows: TakenRows, _ readers: SourceReaders) {
    self.rows = rows
    self.readers = readers
    for entity in rows.plan.source.model.entities where !entity.isAbstract { add(entity) }
  }

  private mutating func add(_ entity: Entity) {
    let mappings = rows.mappings(of: entity.name)
    for attribute in rows.plan.source.model.attributes(of: entity.name) where !attribute.isTransient {
      let reading = mappings.filter { carries(attribute.name, $0) }
      if let hidden = reading.first(where: { isHidden(attribute.name, in: $0) }),
        readers.readers(of: attribute.name, entity: entity.name) != nil
      {
        let reason = NotSet(
          entityMapping: hidden.mapping.name, property: attribute.name,
          reason:
            "source objects share an object by uniqueBy, and only the first of them shows whether its text can be "
            + "parsed")
        found.uncounted.append(
          UncountedLoss(
            item: .init(kind: .attribute, entity: entity.name, property: attribute.name, cause: .unparsed),
            reason: "\(reason)"))
        continue
      }
      guard reading.contains(where: { conversions(of: attribute.name, in: $0)?.isEmpty == false }),
        readers.readers(of: attribute.name, entity: entity.name) != nil,
        let column = rows.plan.source.attributeColumn(attribute.name, of: entity.name)
      else { continue }
      let item = LossQuestion.Item(
        kind: .attribute, entity: entity.name, property: attribute.name, cause: .unparsed)
      do throws(NotSet) {
        guard case .sql(let lost) = try lost(attribute.name, reading) else { continue }
        found.questions.append(
          LossQuestion(
            items: [item],
            statement: "SELECT count(CASE WHEN \(lost) THEN s.\(quoted(column)) END) FROM source."
              + "\(quoted(reading[0].sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(reading[0].sourceNumber)",
            mappings: reading))
      } catch {
        found.uncounted.append(UncountedLoss(item: item, reason: "\(error)"))
      }
    }
  }

  /// The condition that a row `s` is taken, and no entity mapping that takes it keeps the attribute's value.
  private func lost(_ attribute: String, _ reading: [PassPlan.Mapping]) throws(NotSet) -> RowCondition {
    var conditions = [try rows.isTaken("s", byAnyOf: reading)]
    for mapping in reading {
      let untaken = try rows.isTaken("s", by: mapping).negated
      guard let conversions = conversions(of: attribute, in: mapping) else {
        conditions.append(untaken)
        continue
      }
      var failed: [RowCondition] = []
      for conversion in conversions { failed.append(.sql(try failure(of: conversion, mapping))) }
      conditions.append(.any([untaken, .all(failed)]))
    }
    return .all(conditions)
  }

  /// The condition that a conversion gives nil for a row `s`, though none of the texts that it parses is nil.
  private func failure(of conversion: Conversion, _ mapping: PassPlan.Mapping) throws(NotSet) -> String {
    let sql = SourceSQL(layout: rows.plan.source, entity: mapping.source)
    do throws(NotSQL) {
      var parts = ["(\(try sql.value(conversion.expression))) IS NULL"]
      for text in conversion.texts { parts.append("(\(try sql.value(text))) IS NOT NULL") }
      return "(\(parts.joined(separator: " AND ")))"
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: conversion.name, reason: error.reason)
    }
  }

  // MARK: Reading

  private struct Conversion {
    let name: String
    let expression: FormatExpression
    /// The texts that the expression parses.
    let texts: [FormatExpression]
  }

  /// Whether an attribute mapping or relationship mapping of an entity mapping reads an attribute.
  private func carries(_ attribute: String, _ mapping: PassPlan.Mapping) -> Bool {
    !reads(attribute, mapping).isEmpty || isInRelationships(attribute, mapping)
  }

  private func reads(_ attribute: String, _ mapping: PassPlan.Mapping) -> [AttributeMapping] {
    mapping.mapping.attributeMappings.filter {
      readers.sources(of: $0.destinationName, mapping: mapping.number).contains(attribute)
    }
  }

  /// The conversions of an attribute; `nil` if they don't show which texts are lost.
  private func conversions(of attribute: String, in mapping: PassPlan.Mapping) -> [Conversion]? {
    let unique = mapping.mapping.uniqueBy
    guard unique == nil || unique == .source(attribute) else { return nil }
    return converted(attribute, in: mapping)
  }

  /// Whether source objects share the result of a conversion, so that the result doesn't show which texts are lost.
  private func isHidden(_ attribute: String, in mapping: PassPlan.Mapping) -> Bool {
    guard let unique = mapping.mapping.uniqueBy, unique != .source(attribute) else { return false }
    return converted(attribute, in: mapping)?.isEmpty == false
  }

  private func converted(_ attribute: String, in mapping: PassPlan.Mapping) -> [Conversion]? {
    guard !isInRelationships(attribute, mapping) else { return nil }
    var conversions: [Conversion] = []
    for row in reads(attribute, mapping) {
      guard case .expression(let expression) = row.value, let texts = expression.parsedTexts else { return nil }
      conversions.append(Conversion(name: row.destinationName, expression: expression, texts: texts))
    }
    return conversions
  }

  private func isInRelationships(_ attribute: String, _ mapping: PassPlan.Mapping) -> Bool {
    mapping.mapping.relationshipMappings.contains { row in
      guard case .expression(let expression) = row.value else { return false }
      var isFound = false
      expression.visit { part in
        if case .keyPath(let path) = part, path.steps.contains(.key(attribute)) { isFound = true }
      }
      return isFound
    }
  }
}

extension FormatExpression {
  /// The texts that the expression parses; `nil` if it parses none, or if it may replace the nil of a failure.
  fileprivate var parsedTexts: [FormatExpression]? {
    var texts: [FormatExpression] = []
    var saysMore = false
    lookForParsing(&texts, &saysMore)
    return texts.isEmpty || saysMore ? nil : texts
  }

  /// The functions that take another value in place of nil.
  private static let replacing: Set<String> = ["coalesce", "ifEmpty", "join", "uuid", "stableUUID"]

  /// Finds the parsed texts.
  ///
  /// The parts of these texts aren't searched, because they can't say what a failure gives.
  private func lookForParsing(_ texts: inout [FormatExpression], _ saysMore: inout Bool) {
    switch self {
    case .function(let name, let arguments) where Library.function(name)?.nilTexts == .otherForm:
      texts += arguments.prefix(1)
    case .function(let name, let arguments):
      if Self.replacing.contains(name) { saysMore = true }
      for argument in arguments { argument.lookForParsing(&texts, &saysMore) }
    case .cast(let value, _): value.lookForParsing(&texts, &saysMore)
    case .constant, .selfObject, .variable, .keyPath, .anyKey: break
    case .message, .ternary, .subquery, .fetch, .aggregate, .set, .assignment: saysMore = true
    }
  }
}
