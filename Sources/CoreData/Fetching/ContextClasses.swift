internal import DecantPolicies
internal import Foundation

/// The managed object classes of a coordinator's model.
enum ContextClasses {
  /// The registered classes, and the program's other classes that the model names.
  ///
  /// Class names that Xcode writes mostly have no module. If several modules have a class of the same name, the classes
  /// of the program's earlier requests decide which module is meant.
  static func registry(of coordinator: NSPersistentStoreCoordinator, modules: [String]) -> PolicyRegistry {
    var registry = coordinator.registry
    for entity in coordinator.managedObjectModel.entities {
      guard let name = entity.managedObjectClassName else { continue }
      let plain = name.split(separator: ".").last.map(String.init) ?? name
      guard registry.objectClass(named: name) == nil else { continue }
      let names = [name].filter { $0.contains(".") } + modules.map { "\($0).\(plain)" }
      for case let type as ManagedObject.Type in names.lazy.compactMap(NSClassFromString).prefix(1) {
        registry.add(type, as: name)
      }
    }
    ClassSearch([], [coordinator.managedObjectModel.model], registry: registry).fill(&registry)
    return registry
  }

  /// Remembers the module of a request's class; the other classes of the model are probably in the same module.
  static func note(_ type: Any.Type, in context: ManagedObjectContext) {
    guard let type = type as? ManagedObject.Type, type != ManagedObject.self,
      let module = String(reflecting: type).split(separator: ".").first.map(String.init),
      context.settings.modules.first != module
    else { return }
    context.settings.modules.removeAll { $0 == module }
    context.settings.modules.insert(module, at: 0)
  }
}
