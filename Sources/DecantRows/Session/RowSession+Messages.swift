internal import DecantMapping
internal import DecantPasses
package import DecantPolicies
internal import Foundation
package import PredicateFormat

/// The variables and functions of mapping models' expressions for a row (docs/formats/mapping-models.md 4).
extension RowSession {
  /// The context in which an expression is evaluated for a source object.
  package func evaluation(
    _ sInstance: ManagedObject, destination dInstance: ManagedObject? = nil
  ) -> EvaluationContext {
    evaluation(sInstance, destination: dInstance, objects: nil)
  }

  /// - Parameter objects: The expression with the arguments that methods get as objects.
  func evaluation(
    _ sInstance: ManagedObject, destination dInstance: ManagedObject? = nil, objects: TransformedArguments?
  ) -> EvaluationContext {
    let object = value(of: sInstance)
    var variables: [String: Value] = [
      "source": object, "manager": .object(ObjectReference(Named("$manager"))),
      "entityPolicy": .object(ObjectReference(Named("$entityPolicy"))),
      "entityMapping": .object(ObjectReference(MappingKeys(mapping: manager.currentEntityMapping.mapping))),
    ]
    if let dInstance { variables["destination"] = value(of: dInstance) }
    let row = (sInstance.contents as? SourceContents)?.row
    let key = row?.key ?? 0
    if let row, let objects { variables.merge(objects.variables(of: row)) { $1 } }
    // The functions are the same as in SQL.
    var functions = FunctionTable.library
    functions.message = messages(sInstance.entity.entity.name)
    return EvaluationContext(
      object: object, variables: variables, now: now,
      seed: JobIdentity.seed(job: job, key: key), job: job, functions: functions)
  }

  private func messages(_ entity: String) -> FunctionTable.Message {
    let session = Unchecked(self)
    return { target, selector, arguments in
      try session.value.answered(target, selector, arguments, of: entity)
    }
  }

  private func answered(
    _ target: Value, _ selector: String, _ arguments: [Value], of entity: String
  ) throws -> Value? {
    func given() throws -> [Any?] {
      try arguments.map { argument in
        guard let own = TransformedArgument.within(argument) else { return any(argument) }
        return try source.transformed.any(of: own.bytes(), own.name, of: entity)
      }
    }
    switch target {
    case .className(let name):
      guard let type = registry.functions(named: name) else { throw PolicyProblem.unknownClass(name) }
      return try value(of: try type.invoke(selector, with: given()), selector)
    case .object(let reference):
      guard let named = reference.object as? Named else { return nil }
      if named.label == "$entityPolicy" {
        let policy = try currentPolicy()
        return try value(of: try policy.invoke(selector, with: given()), selector)
      }
      return try managerAnswer(selector, arguments)
    default: return nil
    }
  }

  private func managerAnswer(_ selector: String, _ arguments: [Value]) throws -> Value? {
    guard arguments.count == 2, case .string(let name) = arguments[0] else { return nil }
    let sources: [ManagedObject]
    switch arguments[1] {
    case .null: sources = []
    default: sources = (arguments[1].members ?? [arguments[1]]).compactMap(managedObject)
    }
    switch selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return .array(try destinations(mapping: name, of: sources).map(value))
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      return .array(try destinations(mapping: nil, of: sources).map(value))
    default: return nil
    }
  }

  /// The value of an expression, for a policy.
  package func result(
    of expression: FormatExpression, for sInstance: ManagedObject, destination dInstance: ManagedObject?
  ) throws -> Any? {
    let (entity, model) = (sInstance.entity.entity.name, plan.source.model)
    if let name = TransformedArguments.name(expression, of: entity, in: model) {
      return try sInstance.contents.value(forKey: name)
    }
    guard sInstance.contents is SourceContents else {
      return any(try expression.value(in: evaluation(sInstance, destination: dInstance)))
    }
    let objects = TransformedArguments(expression, of: entity, in: model)
    return any(
      try objects.expression.value(in: evaluation(sInstance, destination: dInstance, objects: objects)))
  }

  // MARK: Values

  func value(of object: ManagedObject) -> Value {
    if let contents = object.contents as? SourceContents { return .object(ObjectReference(contents.row)) }
    return .object(ObjectReference(ObjectKeys(object)))
  }

  func managedObject(_ value: Value) -> ManagedObject? {
    guard case .object(let reference) = value else { return nil }
    if let keys = reference.object as? ObjectKeys { return keys.object }
    return source.object(value)
  }

  private func any(_ value: Value) -> Any? {
    switch value {
    case .object: MethodResult.within(value)?.value ?? managedObject(value)
    case .set(let members) where members.contains(where: { managedObject($0) != nil }):
      NSSet(array: members.compactMap(managedObject))
    case .array(let members) where members.contains(where: { managedObject($0) != nil }):
      members.compactMap(managedObject)
    default: ValueBridge.any(of: value)
    }
  }

  /// The result of a method of a policy or of registered functions, as a value of the expression language.
  private func value(of any: Any?, _ selector: String) throws -> Value {
    let any = ValueBridge.flattened(any)
    switch any {
    case let object as ManagedObject: return value(of: object)
    case let set as NSSet where set.allObjects.allSatisfy { $0 is ManagedObject }:
      return .set(set.allObjects.compactMap { $0 as? ManagedObject }.map(value))
    case let set as NSOrderedSet: return .array(set.array.compactMap { $0 as? ManagedObject }.map(value))
    case let array as [ManagedObject]: return .array(array.map(value))
    default:
      if let plain = ValueBridge.value(of: any) { return plain }
      guard let any else { return .null }
      return .object(ObjectReference(MethodResult(any, of: selector)))
    }
  }
}

/// `$manager` and `$entityPolicy`: they answer messages and have no keys.
private final class Named: KeyValueObject {
  let label: String

  init(_ label: String) { self.label = label }

  func value(forKey key: String) throws -> Value? { nil }
}

/// `$entityMapping`.
private final class MappingKeys: KeyValueObject {
  private let mapping: EntityMapping
  let label = "$entityMapping"

  init(mapping: EntityMapping) { self.mapping = mapping }

  func value(forKey key: String) throws -> Value? {
    switch key {
    case "name": .string(mapping.name)
    case "sourceEntityName": mapping.sourceEntityName.map(Value.string) ?? .null
    case "destinationEntityName": mapping.destinationEntityName.map(Value.string) ?? .null
    case "userInfo": .dictionary(mapping.userInfo.mapValues(Value.string))
    default: nil
    }
  }
}

/// A destination object in the evaluator.
///
/// `@unchecked Sendable`: expressions are evaluated on the step's own queue, where the object lives.
private final class ObjectKeys: KeyValueObject, @unchecked Sendable {
  let object: ManagedObject

  init(_ object: ManagedObject) { self.object = object }

  var identity: ObjectIdentity {
    .row(space: "destination \(object.objectID.root)", key: object.objectID.key)
  }

  var label: String { "\(object.objectID)" }

  func value(forKey key: String) throws -> Value? {
    guard object.entity.propertiesByName[key] != nil else { return nil }
    let value = try object.contents.untransformedValue(forKey: key)
    switch value {
    case let target as ManagedObject: return .object(ObjectReference(ObjectKeys(target)))
    case let set as NSSet:
      return .set(
        set.allObjects.compactMap { $0 as? ManagedObject }.map { .object(ObjectReference(ObjectKeys($0))) })
    case let set as NSOrderedSet:
      return .array(
        set.array.compactMap { $0 as? ManagedObject }.map { .object(ObjectReference(ObjectKeys($0))) })
    default: return ValueBridge.value(of: value) ?? .null
    }
  }
}

/// Passes the session to the evaluator's function table, which is called only on the session's own queue.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
