public import Foundation

/// The error of a call of this module, in the domain `NSCocoaErrorDomain`.
///
/// It is an `NSError`, because apps catch `NSError` and `CocoaError`, and Linux doesn't bridge other errors to these
/// types.
///
/// `@unchecked Sendable`: nothing can change it.
public final class CoreDataError: NSError, @unchecked Sendable {
  /// - Parameters:
  ///   - code: A code of Core Data, such as `NSMigrationMissingSourceModelError`, or of `CocoaError`, about a file.
  ///   - message: The reason. If the error is about a file, an entity or a property, the message names it.
  ///   - underlying: The error of the app's code, if there is one.
  public init(_ code: Int, _ message: String, underlying: (any Error)? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    userInfo[NSUnderlyingErrorKey] = underlying
    super.init(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }

  public required init?(coder: NSCoder) { nil }

  /// The reason, as it was given to the initialiser.
  public var message: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "" }

  public override var description: String { message }
}
