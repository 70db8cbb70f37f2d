import CoreData

/// A transformer that allows one class of the app in archives.
///
/// It stands for: a subclass of `NSSecureUnarchiveFromDataTransformer` with `allowedTopLevelClasses`, its own checks
/// of the values, and a static `register()`.
final class PortadaTransformer: NSSecureUnarchiveFromDataTransformer {
  static let name = NSValueTransformerName(rawValue: String(describing: PortadaTransformer.self))

  override static var allowedTopLevelClasses: [AnyClass] { [Portada.self] }

  override class func transformedValueClass() -> AnyClass { Portada.self }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return super.transformedValue(data)
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let portada = value as? Portada else { return nil }
    return super.reverseTransformedValue(portada)
  }

  public static func register() {
    ValueTransformer.setValueTransformer(PortadaTransformer(), forName: name)
  }
}
