package import DecantModel

/// The classes that mapping models and models name, as a worker or a program registers them.
///
/// A class is found by its name with its module (`Notas.NotaPolicy`) or without it. Mapping models may name the app's
/// module, which isn't the worker's. Then only the names without modules are compared. If several modules have a class
/// of that name, no class is found.
public struct PolicyRegistry: Sendable {
  private var policies: [String: EntityMigrationPolicy.Type] = [:]
  private var objects: [String: ManagedObject.Type] = [:]
  private var functions: [String: any MigrationFunctions.Type] = [:]

  public init() {}

  /// Whether no class is registered.
  public var isEmpty: Bool { policies.isEmpty && objects.isEmpty && functions.isEmpty }

  /// The names of the policies, with their modules, in order.
  public var policyNames: [String] { policies.keys.sorted() }

  /// The names of the managed object classes, with their modules, in order.
  public var objectClassNames: [String] { objects.keys.sorted() }

  /// The names of the classes with functions, with their modules, in order.
  public var functionNames: [String] { functions.keys.sorted() }

  public mutating func add(_ policy: EntityMigrationPolicy.Type) {
    policies[String(reflecting: policy)] = policy
  }
  public mutating func add(_ object: ManagedObject.Type) { objects[String(reflecting: object)] = object }
  public mutating func add(_ type: any MigrationFunctions.Type) { functions[String(reflecting: type)] = type }

  /// Registers a policy under exactly this name.
  public mutating func add(_ policy: EntityMigrationPolicy.Type, as name: String) { policies[name] = policy }

  /// Registers a managed object class under exactly this name.
  public mutating func add(_ object: ManagedObject.Type, as name: String) { objects[name] = object }

  /// Registers functions under exactly this name.
  public mutating func add(_ type: any MigrationFunctions.Type, as name: String) { functions[name] = type }

  /// The policy class of that name; nil for none.
  public func policy(named name: String) -> EntityMigrationPolicy.Type? { Self.find(name, in: policies) }

  /// The managed object class of that name; nil for none.
  public func objectClass(named name: String) -> ManagedObject.Type? { Self.find(name, in: objects) }

  /// The class of that name with functions; nil for none.
  public func functions(named name: String) -> (any MigrationFunctions.Type)? { Self.find(name, in: functions) }

  /// The registered classes of a model's objects, by entity.
  package func classes(of model: ManagedObjectModel) -> [String: ManagedObject.Type] {
    var classes: [String: ManagedObject.Type] = [:]
    for entity in model.entities {
      classes[entity.name] = entity.managedObjectClassName.flatMap { objectClass(named: $0) }
    }
    return classes
  }

  private static func find<Type>(_ name: String, in classes: [String: Type]) -> Type? {
    if let exact = classes[name] { return exact }
    return ClassName.match(name, among: Array(classes.keys)).flatMap { classes[$0] }
  }
}
