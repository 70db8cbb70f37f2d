import CoreData
import DecantMigration
import DecantPolicies
import DecantReport
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Policies as apps have them, with “import CoreData” unchanged")
struct PolicyShapeTests {
  private func registry(_ policies: EntityMigrationPolicy.Type...) -> PolicyRegistry {
    var registry = PolicyRegistry()
    for policy in policies { registry.add(policy) }
    return registry
  }

  private static let notes = [
    "a 1 - 0 [casa]", "b 2 - 10 [-]", "c 3 - 20 [calle]", "- 4 - 30 [casa]", "e 5 - 40 [casa]",
    "categories calle,casa",
  ]

  @Test("a policy keeps the categories in a dictionary from chunk to chunk")
  func dictionary() throws {
    let shop = try NotasShop(policy: "DictionaryPolicy")
    let lines = try shop.run(registry(DictionaryPolicy.self), chunkSize: 2)
    #expect(lines == Self.notes.map { $0.replacing(#/ [1-5] - /#, with: " 0 - ") })
  }

  @Test("a resumable policy needs no import of Decant's modules")
  func resumable() throws {
    let shop = try NotasShop(policy: "ResumablePolicy")
    #expect(try shop.run(registry(ResumablePolicy.self), chunkSize: 2).last == "categories calle,casa")
  }

  @Test(
    "super makes the object, a fetch with predicate and sort finds its category, and a whole set is assigned")
  func findOrCreate() throws {
    let shop = try NotasShop(policy: "App.FindOrCreatePolicy")
    #expect(try shop.run(registry(FindOrCreatePolicy.self), chunkSize: 2) == Self.notes)
  }

  @Test("a policy evaluates value expressions, with and without a manager in the context")
  func valueExpressions() throws {
    let shop = try NotasShop(policy: "ValueExpressionPolicy")
    #expect(try shop.run(registry(ValueExpressionPolicy.self)) == Self.notes)
  }

  @Test("attributes are copied in a loop, with user info and numbers cast")
  func loop() throws {
    let shop = try NotasShop(policy: "EntityLoopPolicy", further: "userInfo: { modelVersion: '2' }")
    let lines = try shop.run(registry(EntityLoopPolicy.self))
    #expect(
      lines == [
        "a 1 1 0 [-]", "b 2 2 10 [-]", "c 3 3 20 [-]", "- 4 4 30 [-]", "e 5 5 40 [-]", "categories ",
      ])
  }

  @Test("a predicate over a relationship finds new objects, with an object as argument")
  func relationship() throws {
    let shop = try NotasShop(policy: "RelationshipPolicy")
    let lines = try shop.run(registry(RelationshipPolicy.self))
    #expect(lines.first == "a 1 1 0 [de a]")
    #expect(lines.last == "categories de ,de a,de b,de c,de e")
  }

  @Test("a policy that cancels ends the migration with its message, and there is no output")
  func cancelling() throws {
    let shop = try NotasShop(policy: "CancellingPolicy", rows: [("Secreto uno", nil), ("b", nil)])
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(shop.job(registry(CancellingPolicy.self)))
    }
    #expect(failure?.description.contains("1 secret notes") == true, "\(failure as Any)")
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    let other = try NotasShop(policy: "CancellingPolicy", rows: [("público", nil)])
    #expect(try other.run(registry(CancellingPolicy.self)) == ["público 1 - 0 [-]", "categories "])
  }

  @Test("a mapping model calls a policy's method by its selector")
  func selector() throws {
    let shop = try NotasShop(
      policy: "SelectorPolicy",
      further: "attributes: { titulo: \"FUNCTION($entityPolicy, 'tituloForOrden:', $source.orden)\" }")
    let lines = try shop.run(registry(SelectorPolicy.self))
    #expect(
      lines.map { $0.split(separator: " ").dropFirst(2).first } == [
        "corto", "corto", "largo", "largo", "largo", nil,
      ])
  }

  @Test("objects have the typed classes that “decant classes” writes")
  func typed() throws {
    let shop = try NotasShop(policy: "TypedPolicy")
    var registry = registry(TypedPolicy.self)
    registry.add(Nota.self)
    registry.add(Categoria.self)
    #expect(
      try shop.run(registry) == [
        "a 2 - 0 [casa]", "b 3 - 10 [-]", "c 4 - 20 [calle]", "- 5 - 30 [casa]", "e 6 - 40 [casa]",
        "categories calle,casa",
      ])
  }

  @Test("generic code, Self, and initialisers of the classes make objects")
  func factories() throws {
    let shop = try NotasShop(policy: "FactoryPolicy")
    var registry = registry(FactoryPolicy.self)
    registry.add(Nota.self)
    registry.add(Categoria.self)
    #expect(
      try shop.run(registry) == [
        "a 7 init 0 [casa]", "b 8 init 10 [-]", "c 0 - 20 [calle]", "- 0 - 30 [casa]", "e 0 - 40 [casa]",
        "categories calle,casa",
      ])
  }

  @Test(
    "listing changed objects and deleting a source object are refused with the reason",
    arguments: [
      ("inserted", "“insertedObjects” can't be listed, because a migration writes objects in chunks"),
      ("updated", "“updatedObjects” can't be listed"), ("deleted", "“deletedObjects” can't be listed"),
      (
        "source",
        "the source object Nota/p1 can't be deleted, because the source stays as it is; remove the call"
      ),
    ])
  func refused(text: String, words: String) throws {
    let shop = try NotasShop(policy: "ContextPolicy", rows: [(text, nil)])
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.run(shop.job(registry(ContextPolicy.self)))
    }
    #expect(failure?.message.contains(words) == true, "\(failure as Any)")
  }

  /// Uses the contexts as the note's text says: `inserted`, `updated`, `deleted` or `source`.
  final class ContextPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      #expect(manager.sourceContext.insertedObjects.isEmpty)
      let context = manager.destinationContext
      switch sInstance.value(forKey: "texto") as? String {
      case "inserted": _ = context.insertedObjects
      case "updated": _ = context.updatedObjects
      case "deleted": _ = context.deletedObjects
      default: manager.sourceContext.delete(sInstance)
      }
    }
  }

  @Test("NSExpression works beside “import Foundation”, in both orders of the imports")
  func foundation() throws {
    let first = try NotasShop(policy: "FoundationFirstPolicy")
    #expect(
      try first.run(registry(FoundationFirstPolicy.self)).prefix(2) == [
        "a 1 casa 2 0 [-]", "b 2 otra 4 10 [-]",
      ])
    let last = try NotasShop(policy: "FoundationLastPolicy")
    #expect(
      try last.run(registry(FoundationLastPolicy.self)).prefix(5) == [
        "a 1 A 0 [-]", "b 2 B 10 [-]", "c 3 C 20 [-]", "- 4 - 30 [-]", "e 5 E! 40 [-]",
      ])
  }

  @Test("policies that import os and UIKit run")
  func otherModules() throws {
    let logging = try NotasShop(policy: "LoggingPolicy")
    #expect(try logging.run(registry(LoggingPolicy.self)).first == "a 1 - 0 [-]")
    let colour = try NotasShop(policy: "ColourPolicy")
    #expect(try colour.run(registry(ColourPolicy.self)).first == "A 1 - 0 [-]")
  }
}
