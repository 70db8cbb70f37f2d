package import Foundation

/// A transformable attribute: converts stored bytes to values and back, as its model says.
package struct TransformedAttribute: Sendable {
  /// `Entity.attribute`, for messages.
  private let label: String
  /// The name of the transformer; empty for Core Data's default.
  private let name: String
  private let scope: ArchiveScope

  /// - Parameters:
  ///   - name: The transformer's name in the model; nil and the empty text mean the default.
  ///   - scope: The facts that the attributes of one store share.
  package init(_ label: String, transformer name: String?, scope: ArchiveScope = ArchiveScope()) {
    self.label = label
    self.scope = scope
    self.name = name ?? ""
  }

  private enum Way {
    /// Core Data's own transformers, with the classes that they read.
    case archive([AnyClass]?)
    /// The app's transformer whose `transformedValue(_:)` makes objects from data.
    case unarchiving(SecureUnarchiveTransformer)
    /// The app's transformer whose `transformedValue(_:)` makes data from objects.
    case own(ValueTransformer)
    case unknown
  }

  private var way: Way {
    if name.isEmpty { return .archive(nil) }
    switch TransformerTable.transformer(named: name) {
    case let plain as SecureUnarchiveTransformer
    where type(of: plain) == SecureUnarchiveTransformer.self
      || type(of: plain) == KeyedUnarchiveTransformer.self:
      return .archive(type(of: plain).readable)
    case let unarchiving as SecureUnarchiveTransformer: return .unarchiving(unarchiving)
    case let own?: return .own(own)
    case nil: return .unknown
    }
  }

  /// The value of stored bytes.
  ///
  /// If the transformer isn't registered, or if the archive can't be read, the value is the bytes themselves. Then a
  /// warning names the attribute.
  ///
  /// - Returns: `nil` if the transformer gives nil, and for an archive of nil.
  /// - Throws: `TransformProblem` for a class that a secure transformer doesn't allow, and for a transformer that
  ///   doesn't allow the reverse transformation.
  package func value(of bytes: Data) throws(TransformProblem) -> Any? {
    try scoped { () throws(TransformProblem) in try valueInScope(bytes) }
  }

  private func scoped<Value>(_ work: () throws(TransformProblem) -> Value) throws(TransformProblem) -> Value {
    try ArchiveScope.$current.withValue(scope) { Result(catching: work) }.get()
  }

  private func valueInScope(_ bytes: Data) throws(TransformProblem) -> Any? {
    switch way {
    case .unknown:
      Remark.once(
        label,
        "no transformer is registered as “\(name)”, so values of “\(label)” come as Data. Register it with "
          + "ValueTransformer.setValueTransformer(_:forName:)")
      return ArchivedObject.bytes(bytes)
    case .archive(let allowed):
      if let value = try? ArchivedObject.value(of: bytes, allowed: allowed) { return value }
      return try unreadable(bytes, allowed)
    case .unarchiving(let transformer):
      if let value = transformer.transformedValue(bytes) { return value }
      // If `unreadable` can read the bytes, the transformer itself refused the value.
      return try unreadable(bytes, type(of: transformer).readable)
    case .own(let transformer):
      guard type(of: transformer).allowsReverseTransformation() else { throw .oneWay(label, transformer: name) }
      return transformer.reverseTransformedValue(bytes)
    }
  }

  private func unreadable(_ bytes: Data, _ allowed: [AnyClass]?) throws(TransformProblem) -> Any? {
    do {
      _ = try ArchivedObject.value(of: bytes, allowed: allowed)
      return nil
    } catch .notAllowed(let name, let allowed) {
      throw .unreadable(label, .notAllowed(name, allowed: allowed))
    } catch {
      Remark.once(label, "a value of “\(label)” comes as Data, because \(error)")
      return ArchivedObject.bytes(bytes)
    }
  }

  /// The bytes to store for a value.
  package func bytes(of value: Any) throws(TransformProblem) -> Data {
    try scoped { () throws(TransformProblem) in try bytesInScope(value) }
  }

  private func bytesInScope(_ value: Any) throws(TransformProblem) -> Data {
    switch way {
    case .unknown:
      if let given = value as? StoredBytes { return given.data }
      guard let data = value as? Data else {
        throw .notRegistered(label, transformer: name, found: "\(type(of: value))")
      }
      return data
    case .archive:
      do {
        return try ArchivedObject.data(of: value)
      } catch {
        throw .unwritable(label, error)
      }
    case .unarchiving(let transformer):
      do {
        if let data = try ArchivedObject.stored(value) { return data }
      } catch {
        throw .unwritable(label, error)
      }
      _ = scope.takeRefusal()
      let result = transformer.reverseTransformedValue(value)
      if result == nil, let problem = scope.takeRefusal() as? ArchivedObjectProblem {
        throw .unwritable(label, problem)
      }
      return try data(result, of: value)
    case .own(let transformer): return try data(transformer.transformedValue(value), of: value)
    }
  }

  private func data(_ result: Any?, of value: Any) throws(TransformProblem) -> Data {
    if let data = result as? Data { return data }
    throw .noData(
      label, transformer: name, value: "\(type(of: value))", found: result.map { "\(type(of: $0))" } ?? "nil")
  }
}
