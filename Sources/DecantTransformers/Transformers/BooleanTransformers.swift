internal import Foundation

/// Gives the opposite truth value; true for a value that isn't a number.
final class NegationTransformer: ValueTransformer {
  override static func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: !((value as? NSNumber)?.boolValue ?? false))
  }
}

final class IsNilTransformer: ValueTransformer {
  override static func transformedValueClass() -> AnyClass { NSNumber.self }
  override static func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value == nil) }
}

final class IsNotNilTransformer: ValueTransformer {
  override static func transformedValueClass() -> AnyClass { NSNumber.self }
  override static func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: value != nil) }
}
