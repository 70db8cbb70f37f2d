public import DecantPolicies

/// A class whose properties can be observed.
public protocol KeyValueObserved: AnyObject {}

extension MigrationManager: KeyValueObserved {}

extension KeyValueObserved where Self: MigrationManager {
  /// Observes `migrationProgress` or `currentEntityMapping`; changes of other properties aren't reported.
  ///
  /// - Parameter changeHandler: Called after each change, on the thread that makes the change: the thread of
  ///   `migrateStore` or another thread of the migration. With the option `initial`, it is also called at once.
  /// - Returns: The observation. It ends when nothing refers to it any more.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observer = Observer(keyPath, options, changeHandler)
    if options.contains(.initial) { observer.tell(self, isInitial: true) }
    let change: MigrationChange? =
      keyPath == \Self.migrationProgress
      ? .progress : keyPath == \Self.currentEntityMapping ? .entityMapping : nil
    guard let change else { return NSKeyValueObservation {} }
    observer.keep(self)
    let (list, number) = observers.add(change) { [weak self] in
      if let self { observer.tell(self, isInitial: false) }
    }
    return NSKeyValueObservation { list.remove(number) }
  }
}

private final class Observer<Object: AnyObject, Value> {
  private let keyPath: KeyPath<Object, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: (Object, NSKeyValueObservedChange<Value>) -> Void
  private var last: Value?

  init(
    _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
  ) {
    self.keyPath = keyPath
    self.options = options
    self.handler = handler
  }

  func keep(_ object: Object) { last = object[keyPath: keyPath] }

  func tell(_ object: Object, isInitial: Bool) {
    let value = object[keyPath: keyPath]
    let old = isInitial ? nil : last
    last = value
    handler(
      object,
      NSKeyValueObservedChange(
        kind: .setting, newValue: options.contains(.new) ? value : nil,
        oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: false))
  }
}
