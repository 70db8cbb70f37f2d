public import Foundation
internal import Synchronization

/// An observation of a property; it ends with `invalidate()`, or when nothing refers to it any more.
///
/// Foundation on Linux has no key-value observing. This class has the name of Apple's class, and observes a migration
/// manager.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

  deinit { invalidate() }

  /// Ends the observation.
  public func invalidate() { end.withLock { $0.take() }?() }
}

/// Which values an observer gets, and when it is called.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let new = Self(rawValue: 1)
  public static let old = Self(rawValue: 2)
  /// The observer is called at once, with the current value.
  public static let initial = Self(rawValue: 4)
  /// This has no effect: there is no call before a change.
  public static let prior = Self(rawValue: 8)
}

/// How a property has changed.
public enum NSKeyValueChange: UInt, Sendable {
  case setting = 1
  case insertion = 2
  case removal = 3
  case replacement = 4
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
  public typealias Kind = NSKeyValueChange

  public let kind: Kind
  /// nil without the option `new`.
  public let newValue: Value?
  /// nil without the option `old`, and in the call of the option `initial`.
  public let oldValue: Value?
  /// Always nil: no observed property is a collection.
  public let indexes: IndexSet?
  public let isPrior: Bool
}
