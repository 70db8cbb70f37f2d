internal import Foundation
internal import PredicateFormat
internal import Synchronization

/// The result of `NSPredicate(format:)`: a predicate of the format language, with its arguments.
final class FormattedPredicate: NSPredicate {
  private let text: String
  private let predicate: FormatPredicate?
  private let problem: String
  private let isTold = Mutex(false)

  init(_ format: String, _ arguments: [Any?]) {
    text = format
    var parsed: FormatPredicate?
    var reason = ""
    do {
      // The key `entity` gives the name of the entity. So `entity.name` is replaced by `entity`.
      parsed = try FormatPredicate(parsing: format, arguments: arguments.map(PredicateArgument.value))
        .replacing(Self.entity(["name"]), with: Self.entity([]))
    } catch {
      reason = "\(error)"
    }
    predicate = parsed
    problem = reason
    super.init(value: false)
  }

  private static func entity(_ keys: [String]) -> FormatExpression {
    .path(from: .selfObject, (["entity"] + keys).map { .key($0) })
  }

  required init?(coder: NSCoder) { nil }

  func parsed() throws -> FormatPredicate {
    guard let predicate else {
      throw CoreDataError(NSCoreDataError, "the predicate “\(text)” can't be used: \(problem)")
    }
    return predicate
  }

  override func evaluate(with object: Any?) -> Bool {
    evaluate(with: object, substitutionVariables: nil)
  }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    do {
      return try holds(for: object, bindings ?? [:])
    } catch {
      // Apple raises an exception, which Swift can't catch. Here the predicate counts as false. The reason is logged
      // only once for each predicate, because there may be many objects.
      let isFirst = isTold.withLock { told in
        defer { told = true }
        return !told
      }
      if isFirst { LogLine.write("the predicate “\(text)” counts as false: \(error)") }
      return false
    }
  }

  /// - Throws: The errors of `parsed()`. `EvaluationError` if the predicate can't be evaluated for the object, for
  ///   example because the object lacks a key.
  func holds(for object: Any?, _ bindings: [String: Any]) throws -> Bool {
    var context = EvaluationContext(object: PredicateArgument.lenient(object))
    context.now = Date().timeIntervalSinceReferenceDate
    for (name, value) in bindings { context.variables[name] = PredicateArgument.lenient(value) }
    return try parsed().holds(in: context)
  }

  override var predicateFormat: String { predicate.map { "\($0)" } ?? text }

  override func copy(with zone: NSZone?) -> Any { self }
}

extension NSPredicate {
  /// The predicate in the engine's form.
  ///
  /// - Throws: `CoreDataError` for a format that doesn't parse, for an argument that can't be used, and for a block,
  ///   because no store can evaluate blocks.
  func formatPredicate() throws -> FormatPredicate {
    switch self {
    case let predicate as FormattedPredicate: return try predicate.parsed()
    case let predicate as NSCompoundPredicate:
      let parts = try predicate.subpredicates.map { try $0.formatPredicate() }
      switch predicate.compoundPredicateType {
      case .and: return .all(of: parts)
      case .or: return .any(of: parts)
      case .not: return .not(.all(of: parts))
      }
    default:
      switch (self as any PredicateText).predicateFormat {
      case "TRUEPREDICATE": return .always
      case "FALSEPREDICATE": return .never
      default:
        throw CoreDataError(
          NSCoreDataError, "a predicate with a block can't be used in a fetch; write it as a format")
      }
    }
  }
}

/// Access to `predicateFormat`, which distinguishes constant predicates from blocks.
///
/// With Foundation on Linux, the compiler warns about a direct use of the property.
private protocol PredicateText {
  var predicateFormat: String { get }
}

extension NSPredicate: PredicateText {}
