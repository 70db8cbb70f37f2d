internal import PredicateFormat

/// The kind of value that an expression gives, as far as its form and the source model tell; any of them may be nil.
indirect enum ExpressionKind: Equatable {
  case unknown
  /// nil, always.
  case null
  case value(ValueSort)
  /// A value that the text says.
  case constant(Value)
  /// An object of an entity, or of one below it unless it is of just that entity.
  case object(entity: String, isExact: Bool)
  case collection(of: ExpressionKind, isOrdered: Bool)
  /// The members of an aggregate.
  case list([ExpressionKind])

  init(_ constant: Value) { self = constant.isNull ? .null : .constant(constant) }

  /// What values of this kind are equal to at most; `nil` where anything may be.
  enum Family: Equatable {
    case sort(ValueSort)
    case object
    case collection

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
    case .unknown, .null: nil
    case .value(let sort): .sort(sort)
    case .constant(let value): value.members != nil ? .collection : ValueSort(value).map(Family.sort)
    case .object: .object
    case .collection, .list: .collection
    }
  }

  /// The kinds of a collection's members; `nil` for what is none.
  var members: [ExpressionKind]? {
    switch self {
    case .collection(let member, _): [member]
    case .list(let members): members
    case .constant(let value): value.members.map { $0.map(ExpressionKind.init) }
    case .unknown, .null, .value, .object: nil
    }
  }

  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// A value of this kind for which evaluating fails only where it fails for all of them; nil stands for what isn't
  /// known, because nothing is taken by more operators.
  var sample: Value {
    switch self {
    case .unknown, .null: .null
    case .value(let sort): sort.sample
    case .constant(let value): value
    case .object(let entity, _): .object(ObjectReference(SampleObject(label: entity)))
    case .collection(let member, let isOrdered): isOrdered ? .array([member.sample]) : .set([member.sample])
    case .list(let members): .array(members.map(\.sample))
    }
  }
}

/// An object of which nothing is known but that it is one.
private struct SampleObject: KeyValueObject {
  let label: String

  var identity: ObjectIdentity { .name(label) }

  func value(forKey key: String) throws -> Value? { .null }
}
