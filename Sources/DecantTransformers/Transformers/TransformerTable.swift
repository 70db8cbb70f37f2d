internal import Foundation

/// The transformers by their names.
enum TransformerTable {
  private static let lock = NSLock()
  // Only used while the lock is held.
  nonisolated(unsafe) private static var known: [String: ValueTransformer] = [:]
  nonisolated(unsafe) private static var missing: Set<String> = []
  /// The largest number of remembered names without a transformer; a long-lived worker may see very many of them.
  static let mostMissing = 1000

  static var rememberedMissing: Int { lock.withLock { missing.count } }

  private static let system: [(name: ValueTransformerName, type: ValueTransformer.Type)] = [
    (.negateBooleanTransformerName, NegationTransformer.self), (.isNilTransformerName, IsNilTransformer.self),
    (.isNotNilTransformerName, IsNotNilTransformer.self),
    (.keyedUnarchiveFromDataTransformerName, KeyedUnarchiveTransformer.self),
    (.secureUnarchiveFromDataTransformerName, SecureUnarchiveTransformer.self),
  ]

  static func set(_ transformer: ValueTransformer?, _ name: String) {
    lock.withLock {
      known[name] = transformer
      missing.remove(name)
    }
  }

  static var names: [String] {
    let own = lock.withLock { known.keys.sorted() }
    let system = system.map(\.name.rawValue)
    return system + own.filter { !system.contains($0) }
  }

  static func transformer(named name: String) -> ValueTransformer? {
    if let found = lock.withLock({ known[name] }) { return found }
    guard lock.withLock({ !missing.contains(name) }) else { return nil }
    let type = system.first { $0.name.rawValue == name }?.type ?? programClass(named: name)
    return lock.withLock {
      guard let type else {
        if missing.count >= mostMissing { missing.removeAll() }
        missing.insert(name)
        return nil
      }
      let made = known[name] ?? type.init()
      known[name] = made
      return made
    }
  }

  /// The program's class of that name; a class of another module counts if only one module has it.
  private static func programClass(named name: String) -> ValueTransformer.Type? {
    if name.contains("."), let type = NSClassFromString(name) as? ValueTransformer.Type { return type }
    guard let plain = name.split(separator: ".").last.map(String.init) else { return nil }
    let alike = (ProgramClasses.modules(ofClasses: [plain])[plain] ?? []).compactMap {
      NSClassFromString("\($0).\(plain)") as? ValueTransformer.Type
    }
    return alike.count == 1 ? alike.first : nil
  }
}
