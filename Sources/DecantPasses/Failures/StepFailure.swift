internal import DecantModel
internal import DecantStore

/// The reasons why a step can't be finished.
package enum StepFailure: Error, CustomStringConvertible {
  case stopped
  case duplicates(entity: String, constraint: [String], count: Int, example: String)
  /// Objects that break a rule of the destination model.
  package struct Invalid: CustomStringConvertible {
    package let entity: String
    package let property: String
    /// Core Data's error code, or the model's own code.
    package let code: Int
    package let words: String
    package let count: Int
    /// Some of the objects' primary keys.
    let keys: [Int64]
    /// The origins of these objects, by primary key; an object whose origin isn't known is missing.
    package var origins: [Int64: ObjectOrigin] = [:]

    package init(
      entity: String, property: String, code: Int, words: String, count: Int, keys: [Int64],
      origins: [Int64: ObjectOrigin] = [:]
    ) {
      self.entity = entity
      self.property = property
      self.code = code
      self.words = words
      self.count = count
      self.keys = keys
      self.origins = origins
    }

    package var description: String {
      "In \(counted(count, "object")) of entity “\(entity)”, “\(property)” \(words) (\(code)), such as "
        + keys.map { key in "\(entity)/p\(key)" + (origins[key].map { " (\($0))" } ?? "") }.joined(
          separator: ", ")
    }
  }

  /// A step has made objects that break rules of the destination model.
  ///
  /// - Parameter isInferred: Whether the step has no mapping model.
  case invalid([Invalid], isInferred: Bool)
  /// The chunk predicates of a mapping model don't select each row exactly once.
  case chunks([ChunkFinding])
  /// A policy threw, or did something impossible.
  ///
  /// `policy` is `nil` for the base class, which runs a mapping model's expressions.
  case policy(pass: String, mapping: String, policy: String?, method: String?, object: String?, reason: String)
  /// An expression of a mapping model fails on an object, or gives a value that its property can't take.
  case expression(ExpressionFault)
  /// A value can't be read, or an object can't be made, and no expression is the cause.
  ///
  /// - Parameter place: The place of the value, as the beginning of a sentence.
  case badValue(place: String, reason: String)
  case rowsDiffer(entityMapping: String, source: Int, destination: Int)
  /// A destination entity hasn't as many objects as were made.
  case objectsDiffer(entity: String, made: Int, destination: Int)
  case damagedResult(findings: [String])
  /// The association table contradicts itself; this is a fault of the engine.
  case contradictory(findings: [String])

  package var description: String {
    switch self {
    case .stopped: "The migration was stopped before it was finished."
    case .duplicates(let entity, let constraint, let count, let example):
      "Entity “\(entity)”: \(counted(count, "value")) of the uniqueness constraint "
        + "\(constraint.map { "“\($0)”" }.joined(separator: " + ")) \(count == 1 ? "occurs" : "occur") "
        + "more than once, such as \(example)."
    case .invalid(let findings, _):
      findings.prefix(5).map { "\($0)." }.joined(separator: " ")
        + (findings.count > 5
          ? " \(counted(findings.count - 5, "further rule is", "further rules are")) broken." : "")
    case .chunks(let findings): findings.map(\.description).joined(separator: " ")
    case .policy(let pass, let mapping, let policy, let method, let object, let reason):
      "Entity mapping “\(mapping)” (pass “\(pass)”)"
        + (policy.map { ", policy \($0)" + (method.map { ", \($0)" } ?? "") } ?? "")
        + (object.map { ", object \($0)" } ?? "") + ": \(reason)" + (reason.hasSuffix(".") ? "" : ".")
    case .expression(let fault): fault.description
    case .badValue(let place, let reason): "\(place): \(reason)."
    case .rowsDiffer(let mapping, let source, let destination):
      "“\(mapping)”: the source has \(counted(source, "row")), and the counts of the result add up to "
        + "\(grouped(destination))."
    case .objectsDiffer(let entity, let made, let destination):
      "Entity “\(entity)”: \(counted(made, "object was", "objects were")) made, and the counts of the result add up to "
        + "\(grouped(destination))."
    case .damagedResult(let findings):
      "The result fails SQLite's check: \(findings.prefix(3).joined(separator: "; "))."
    case .contradictory(let findings):
      "The association table contradicts itself: \(findings.prefix(3).joined(separator: "; "))."
    }
  }
}
