internal import PredicateFormat

/// The kind of an expression's value, as far as the expression and the models show it.
///
/// Unless the value is known, it may also be nil.
indirect enum ExpressionKind: Equatable {
  case unknown
  /// Always nil.
  case null
  case value(ValueSort)
  /// A known value, such as a constant of the expression.
  case constant(Value)
  /// An object of an entity or of its subentities; with `isExact`, an object of the entity itself.
  case object(entity: String, side: Side, isExact: Bool)
  case service(MigrationService)
  case collection(of: ExpressionKind, isOrdered: Bool)
  /// A list of values, such as an aggregate, with the kind of each member.
  case list([ExpressionKind])
  /// One of several kinds, depending on the row; none of them is `null` or `oneOf`.
  case oneOf([ExpressionKind])

  /// The store that an object belongs to.
  enum Side: String {
    case source, destination
  }

  init(_ constant: Value) { self = constant.isNull ? .null : .constant(constant) }

  static func either(_ kinds: [ExpressionKind]) -> ExpressionKind {
    var all: [ExpressionKind] = []
    for kind in kinds.flatMap(\.alternatives) where kind != .null && !all.contains(kind) { all.append(kind) }
    if all.contains(.unknown) || all.count > maximumAlternatives { return .unknown }
    if all.count > 1, let sort = all[0].family?.sort, all.allSatisfy({ $0.family?.sort == sort }) {
      return .value(sort)
    }
    return all.count > 1 ? .oneOf(all) : all.first ?? .null
  }

  private static let maximumAlternatives = 6

  var alternatives: [ExpressionKind] { if case .oneOf(let kinds) = self { kinds } else { [self] } }

  /// A group of values; values of two groups count as never equal.
  enum Family: Equatable {
    case sort(ValueSort)
    case object
    case collection

    var sort: ValueSort? { if case .sort(let sort) = self { sort } else { nil } }

    var words: String {
      switch self {
      case .sort(let sort): sort.words
      case .object: "an object"
      case .collection: "a collection"
      }
    }
  }

  var family: Family? {
    switch self {
    case .unknown, .null, .oneOf: nil
    case .value(let sort): .sort(sort)
    case .constant(let value): value.members != nil ? .collection : ValueSort(value).map(Family.sort)
    case .object, .service: .object
    case .collection, .list: .collection
    }
  }

  var members: [ExpressionKind]? {
    switch self {
    case .collection(let member, _): [member]
    case .list(let members): members
    case .constant(let value): value.members.map { $0.map(ExpressionKind.init) }
    case .unknown, .null, .value, .object, .service, .oneOf: nil
    }
  }

  /// The kind of a collection's members, or of the value itself.
  var one: ExpressionKind { members.map(ExpressionKind.either) ?? self }

  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// The value, if it is known to be the same for all rows.
  var known: Value? {
    switch self {
    case .null: .null
    case .constant(let value): value
    case .list(let members):
      members.allSatisfy { $0.known != nil } ? .array(members.compactMap(\.known)) : nil
    default: nil
    }
  }

  /// A value to try an operation on.
  ///
  /// It is nil for an unknown value, because most operators accept nil.
  var sample: Value {
    switch self {
    case .unknown, .null, .oneOf: .null
    case .value(let sort): sort.sample
    case .constant(let value): value
    case .object(let entity, _, _): .object(ObjectReference(SampleObject(label: entity)))
    case .service(let service): .object(ObjectReference(SampleObject(label: service.variable)))
    case .collection(let member, let isOrdered): isOrdered ? .array([member.sample]) : .set([member.sample])
    case .list(let members): .array(members.map(\.sample))
    }
  }

  var words: String {
    switch self {
    case .service(let service): service.variable
    case .oneOf(let kinds): kinds.map(\.words).joined(separator: " or ")
    default: sample.kind
    }
  }
}

/// A variable for a part of the migration, such as `$manager`.
enum MigrationService: String {
  case manager
  case entityPolicy
  case entityMapping

  var variable: String { "$\(rawValue)" }
}

/// An object without known properties.
private struct SampleObject: KeyValueObject {
  let label: String

  var identity: ObjectIdentity { .name(label) }

  func value(forKey key: String) throws -> Value? { .null }
}
