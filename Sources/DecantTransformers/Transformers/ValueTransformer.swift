public import Foundation

/// Makes one value from another (Foundation's class of this name, which doesn't exist on Linux).
///
/// A model names the transformer of a transformable attribute. Core Data stores the result of `transformedValue(_:)`,
/// and reads with `reverseTransformedValue(_:)`. With a `SecureUnarchiveTransformer` it is the other way round:
/// `transformedValue(_:)` makes objects from stored data.
open class ValueTransformer: NSObject {
  public required override init() {}

  // MARK: Names

  /// Registers a transformer under a name; nil removes the transformer that has the name.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: ValueTransformerName
  ) {
    TransformerTable.set(transformer, name.rawValue)
  }

  /// The system's names, then the other names under which transformers were registered or found until now.
  open class func valueTransformerNames() -> [ValueTransformerName] {
    TransformerTable.names.map { ValueTransformerName($0) }
  }

  // MARK: Values

  /// The class of the values that `transformedValue(_:)` makes.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  open class func allowsReverseTransformation() -> Bool { true }

  open func transformedValue(_ value: Any?) -> Any? { value }

  open func reverseTransformedValue(_ value: Any?) -> Any? {
    type(of: self).allowsReverseTransformation() ? transformedValue(value) : nil
  }
}

/// A class whose objects can be found by a transformer's name.
///
/// Its initialiser returns an existing object, which only an initialiser in a protocol's extension can do.
public protocol NamedTransformer {}

extension ValueTransformer: NamedTransformer {}

extension NamedTransformer where Self: ValueTransformer {
  /// The transformer that is registered under a name; without one, an object of the program's class of that name.
  ///
  /// It is nil if there is neither, or if the transformer isn't of this class.
  public init?(forName name: ValueTransformerName) {
    guard let found = TransformerTable.transformer(named: name.rawValue) as? Self else { return nil }
    self = found
  }
}
