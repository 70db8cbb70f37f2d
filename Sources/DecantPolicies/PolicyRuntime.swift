package import PredicateFormat

/// The functions of a running step for its policies and their manager.
package protocol PolicyRuntime: AnyObject {
  /// Makes the destination object that the attribute mappings of an entity mapping describe, and associates it.
  ///
  /// With `uniqueBy`, nothing is made if the value is nil, and an existing object with an equal value is associated.
  func createByMapping(_ sInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws

  /// Sets the relationships of a destination object as the relationship mappings of an entity mapping describe.
  func relateByMapping(_ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws

  func associate(
    _ sInstance: ManagedObject, _ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws

  /// The objects that an entity mapping has made from source objects.
  ///
  /// - Parameters:
  ///   - name: The name of the entity mapping; `nil` for all entity mappings.
  ///   - sources: The source objects; `nil` for all source objects of the entity mapping.
  func destinations(mapping name: String?, of sources: [ManagedObject]?) throws -> [ManagedObject]

  /// The source objects from which an entity mapping has made destination objects.
  ///
  /// - Parameter destinations: The destination objects; `nil` for all that the entity mapping has made.
  func sources(mapping name: String, of destinations: [ManagedObject]?) throws -> [ManagedObject]

  /// The value of an expression, for a policy.
  func result(
    of expression: FormatExpression, for sInstance: ManagedObject, destination dInstance: ManagedObject?
  ) throws -> Any?
}
