internal import Synchronization

/// A value that is made at the first request.
final class Once<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func callAsFunction(_ make: () -> Value) -> Value {
    value.withLock { value in
      if let value { return value }
      let made = make()
      value = made
      return made
    }
  }
}
