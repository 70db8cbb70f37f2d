import CoreData

/// Stores a `Tono` as three bytes, a form of the app's own.
///
/// It stands for: a subclass of `ValueTransformer` that is registered by name, with `transformedValueClass`,
/// `allowsReverseTransformation`, `transformedValue` and `reverseTransformedValue`.
final class TonoTransformer: ValueTransformer {
  static let name = NSValueTransformerName(rawValue: "ColorTransformer")

  static func register() {
    ValueTransformer.setValueTransformer(TonoTransformer(), forName: name)
  }

  override class func transformedValueClass() -> AnyClass { NSData.self }

  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let tono = value as? Tono else { return nil }
    return Data([tono.rojo, tono.verde, tono.azul])
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.count == 3 else { return nil }
    return Tono(rojo: data[0], verde: data[1], azul: data[2])
  }
}
