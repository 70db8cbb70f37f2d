internal import DecantMapping
internal import DecantModel
internal import DecantPolicies
internal import DecantTransformers
internal import Foundation

/// Finds the program's own classes that models and mapping models name, and adds them to a registry.
///
/// Names are looked up as in a worker: first with their module, then without it. If two modules have a class of the
/// same name, the name without module finds no class.
struct ClassSearch {
  private let policies: Set<String>
  private let objects: Set<String>
  private let functions: Set<String>

  /// - Parameter registry: The classes that the program has registered; they aren't searched for.
  init(_ passes: [MappingModel], _ models: [ManagedObjectModel], registry: PolicyRegistry) {
    var policies: Set<String> = []
    for mapping in passes.flatMap(\.entityMappings) {
      if case .className(let name)? = mapping.policy, registry.policy(named: name) == nil {
        policies.insert(name)
      }
    }
    self.policies = policies
    functions = Set(
      passes.flatMap(\.entityMappings).flatMap(\.classCalls).map(\.className).filter {
        registry.functions(named: $0) == nil
      })
    objects = Set(
      models.flatMap(\.entities).compactMap(\.managedObjectClassName).filter {
        registry.objectClass(named: $0) == nil
      })
  }

  func fill(_ registry: inout PolicyRegistry) {
    let modules = ProgramClasses.modules(
      ofClasses: Set(policies.union(objects).union(functions).map(Self.plain)))
    for name in policies {
      if let type = find(name, modules, { $0 as? EntityMigrationPolicy.Type }) { registry.add(type, as: name) }
    }
    for name in functions {
      if let type = find(name, modules, { $0 as? any MigrationFunctions.Type }) { registry.add(type, as: name) }
    }
    for name in objects {
      if let type = find(name, modules, { $0 as? ManagedObject.Type }) { registry.add(type, as: name) }
    }
  }

  private func find<Type>(
    _ name: String, _ modules: [String: [String]], _ cast: (AnyClass) -> Type?
  ) -> Type? {
    if name.contains("."), let type = NSClassFromString(name).flatMap(cast) { return type }
    let plain = Self.plain(name)
    let alike = (modules[plain] ?? []).compactMap { NSClassFromString("\($0).\(plain)").flatMap(cast) }
    return alike.count == 1 ? alike.first : nil
  }

  private static func plain(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }
}
