import DecantPolicies
import Foundation

@testable import DecantMigration

/// Makes one “Category” for each distinct text, and keeps the categories in a dictionary, as apps do.
final class CategoryPolicy: EntityMigrationPolicy {
  private var known: [String: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let note = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { throw Failure.nothingMade }
    guard let name = sInstance.value(forKey: "category") as? String else { return }
    let category = known[name] ?? manager.destinationContext.insertObject(ofEntity: "Category")
    known[name] = category
    category.setValue(name, forKey: "name")
    note.mutableSetValue(forKey: "categories").add(category)
  }

  enum Failure: Error { case nothingMade }
}

/// Makes the same categories, and can continue in another process: names and keys are saved with each chunk.
final class ResumableCategoryPolicy: EntityMigrationPolicy, ResumableMigrationPolicy {
  private var known: [String: Int64] = [:]

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let note = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
    guard let name = sInstance.value(forKey: "category") as? String else { return }
    let category: ManagedObject
    if let key = known[name], let entity = manager.destinationModel.entitiesByName["Category"] {
      category = try manager.destinationContext.existingObject(
        with: ManagedObjectID(entity: entity, key: key, store: ""))
    } else {
      category = manager.destinationContext.insertObject(ofEntity: "Category")
      category.setValue(name, forKey: "name")
      known[name] = category.objectID.key
    }
    category.mutableSetValue(forKey: "notes").add(note)
  }

  func resumptionState(manager: MigrationManager) throws -> Data { try JSONEncoder().encode(known) }

  func resume(from state: Data, manager: MigrationManager) throws {
    known = try JSONDecoder().decode([String: Int64].self, from: state)
  }
}

/// Makes the same categories, but fetches them from the destination store and keeps nothing.
final class FetchingCategoryPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    let context = manager.destinationContext
    let note = context.insertObject(ofEntity: mapping.destinationEntityName ?? "")
    note.setValue(sInstance.value(forKey: "text"), forKey: "text")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
    guard let name = sInstance.value(forKey: "category") as? String else { return }
    let found = try context.fetch(
      .init(
        entity: "Category",
        predicate: .compare(.path(from: .selfObject, [.key("name")]), .equal, .constant(.string(name)))))
    let category = found.first ?? context.insertObject(ofEntity: "Category")
    category.setValue(name, forKey: "name")
    note.setValue(Set([category]), forKey: "categories")
  }
}

/// Makes the same categories, and keeps them in the context's `userInfo`.
final class ContextCategoryPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let note = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
    guard let name = sInstance.value(forKey: "category") as? String else { return }
    let known = manager.destinationContext.userInfo
    let category =
      known[name] as? ManagedObject ?? manager.destinationContext.insertObject(ofEntity: "Category")
    known[name] = category
    category.setValue(name, forKey: "name")
    note.mutableSetValue(forKey: "categories").add(category)
  }
}
