/// A fact that only one form of a model file has, and that doesn't count when models are compared.
@propertyWrapper public struct Uncompared<Value: Sendable>: Sendable, Hashable {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public static func == (left: Self, right: Self) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
