internal import Foundation

/// Makes objects from archives, and archives from objects (Foundation's NSSecureUnarchiveFromDataTransformer).
///
/// Core Data uses this class and its subclasses in the reverse direction: it reads with `transformedValue(_:)`.
open class SecureUnarchiveTransformer: ValueTransformer {
  /// The classes that an archive's root object may have.
  ///
  /// Objects of the app's own classes inside the root object must be of one of these classes, too.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
      NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  /// Sets the name that archives have for a class of the app, such as `Notas.Etiqueta`.
  ///
  /// This is needed only for new objects of a class that no archive of the store had so far. On Apple's systems
  /// `@objc(Name)` and `NSKeyedArchiver.setClassName(_:for:)` do the same.
  public static func setClassName(_ name: String, for type: AnyClass) {
    ArchivedClasses.setName(name, for: type)
  }

  /// The classes that may be read; `nil` for all.
  class var readable: [AnyClass]? { allowedTopLevelClasses }

  /// The object in an archive; nil if the value isn't an archive that can be read.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return try? ArchivedObject.value(of: data, allowed: Self.readable(of: type(of: self)))
  }

  /// The archive of an object; nil if it can't be archived.
  ///
  /// Data that are an archive already are returned unchanged, unless an archive of the store gave them as a value. If
  /// Decant no longer knows whether the store gave them, the result is nil.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    do {
      return try ArchivedObject.data(of: value)
    } catch {
      // The caller gets nil without a reason. So the reason is kept for the message about the attribute.
      ArchiveScope.current?.refuse(error)
      return nil
    }
  }

  open override class func transformedValueClass() -> AnyClass { NSObject.self }

  private static func readable(of type: SecureUnarchiveTransformer.Type) -> [AnyClass]? { type.readable }
}

/// The transformer without a check of classes, which is Core Data's older default.
final class KeyedUnarchiveTransformer: SecureUnarchiveTransformer {
  override class var readable: [AnyClass]? { nil }
}
