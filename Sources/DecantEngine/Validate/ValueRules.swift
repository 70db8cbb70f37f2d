internal import DecantExpressions
internal import DecantModel
internal import DecantPasses
internal import DecantStore
internal import PredicateFormat

/// The rules for the values of one attribute; as in Core Data, nil breaks none of them.
struct ValueRules {
  private let attribute: Attribute
  private let column: String
  private let entity: String
  private let sql: SourceSQL

  init(_ attribute: Attribute, column: String, entity: String, layout: StoreLayout) {
    self.attribute = attribute
    self.column = column
    self.entity = entity
    sql = SourceSQL(layout: layout, entity: entity, schema: "main")
  }

  /// `NSManagedObjectValidationError`, the code of rules that have no code of their own.
  private static let general = 1550

  private func rule(
    _ part: ValidationRule.Part, _ code: Int, _ words: String, _ warning: ValidationWarning?, _ broken: String
  ) -> ValidationRule {
    let failure = ValidationRule.failure(code, words, warning)
    return ValidationRule(
      entity: entity, property: attribute.name, code: failure.code, words: failure.words,
      broken: "\(column) IS NOT NULL AND \(broken)", part: part)
  }

  func limits(unchecked: (String) -> Void) -> [ValidationRule] {
    attribute.type == .string ? lengths(unchecked) + pattern(unchecked) : bounds()
  }

  private func lengths(_ unchecked: (String) -> Void) -> [ValidationRule] {
    let limits = attribute.limits
    let path = FormatExpression.path(from: .variable("source"), [.key(attribute.name), .key("length")])
    guard let length = try? sql.value(path) else {
      if limits.minimum != nil || limits.maximum != nil {
        unchecked("the length of “\(entity).\(attribute.name)”")
      }
      return []
    }
    var rules: [ValidationRule] = []
    if case .integer(let least)? = limits.minimum {
      rules.append(rule(.minimum, 1670, "is too short", limits.minimumWarning, "\(length) < \(least)"))
    }
    if case .integer(let most)? = limits.maximum {
      rules.append(rule(.maximum, 1660, "is too long", limits.maximumWarning, "\(length) > \(most)"))
    }
    return rules
  }

  private func pattern(_ unchecked: (String) -> Void) -> [ValidationRule] {
    guard let pattern = attribute.limits.regularExpression else { return [] }
    let match = FormatPredicate.compare(.selfObject, .matches, .constant(.string(pattern)))
    do throws(NotSQL) {
      let condition = try sql.condition(match, onValueOf: attribute.name)
      return [
        rule(
          .pattern, 1680, "doesn't match its regular expression", attribute.limits.patternWarning,
          "NOT (\(condition))")
      ]
    } catch {
      unchecked("the regular expression of “\(entity).\(attribute.name)”, \(error.reason)")
      return []
    }
  }

  private func bounds() -> [ValidationRule] {
    let limits = attribute.limits
    let isDate = attribute.type == .date
    var rules: [ValidationRule] = []
    if let least = limits.minimum {
      rules.append(
        rule(
          .minimum, isDate ? 1640 : 1620, isDate ? "is too early" : "is too small", limits.minimumWarning,
          "\(column) < \(SQLLiteral.text(least))"))
    }
    if let most = limits.maximum {
      rules.append(
        rule(
          .maximum, isDate ? 1630 : 1610, isDate ? "is too late" : "is too large", limits.maximumWarning,
          "\(column) > \(SQLLiteral.text(most))"))
    }
    return rules
  }

  func predicates(unchecked: (String) -> Void) -> [ValidationRule] {
    attribute.validationPredicates.compactMap { predicate in
      let parsed: FormatPredicate
      do throws(FormatError) {
        parsed = try FormatPredicate(parsing: predicate.format)
      } catch {
        unchecked("the rule “\(predicate.format)” of “\(entity).\(attribute.name)”, \(error.sentence)")
        return nil
      }
      do throws(NotSQL) {
        let condition = try sql.condition(parsed, onValueOf: attribute.name)
        return rule(
          .predicate(predicate), Self.general, "breaks the rule “\(predicate.format)”", predicate.warning,
          "NOT (\(condition))")
      } catch {
        unchecked("the rule “\(predicate.format)” of “\(entity).\(attribute.name)”, \(error.reason)")
        return nil
      }
    }
  }
}
