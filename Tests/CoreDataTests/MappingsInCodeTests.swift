import CoreData
import DecantPolicies
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Mapping models that a program makes or changes") struct MappingsInCodeTests {
  private func models(_ shop: NotasShop) throws -> (NSManagedObjectModel, NSManagedObjectModel) {
    (
      try #require(NSManagedObjectModel(contentsOf: shop.bundle("Notas"))),
      try #require(NSManagedObjectModel(contentsOf: shop.bundle("Notas 2")))
    )
  }

  private func migrate(_ shop: NotasShop, _ mapping: NSMappingModel) throws -> [String] {
    let (source, destination) = try models(shop)
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    return try shop.lines()
  }

  private func inferred(_ shop: NotasShop) throws -> NSMappingModel {
    let (source, destination) = try models(shop)
    return try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }

  private static func fetch(_ predicate: String) -> NSExpression {
    NSExpression(
      format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Nota', %@), "
        + "$manager.sourceContext, NO)", predicate)
  }

  @Test("an inferred mapping model gets a policy, and then the policy makes the objects")
  func inferredWithPolicy() throws {
    let shop = try NotasShop()
    let mapping = try inferred(shop)
    for entity in mapping.entityMappings where entity.destinationEntityName == "Nota" {
      entity.entityMigrationPolicyClassName = "DictionaryPolicy"
      entity.mappingType = .customEntityMappingType
    }
    #expect(mapping.entityMappingsByName["NotaToNota"]?.entityMigrationPolicyClassName == "DictionaryPolicy")
    #expect(try migrate(shop, mapping).last == "categories calle,casa")
  }

  @Test("an unchanged inferred mapping model stays inferred; a changed value expression is used")
  func inferredValue() throws {
    let shop = try NotasShop()
    let mapping = try inferred(shop)
    let row = mapping.entityMappingsByName["NotaToNota"]?.attributeMappings?.first { $0.name == "titulo" }
    #expect(mapping.model.origin == .inferred)
    try #require(row).valueExpression = NSExpression(format: "uppercase:($source.texto)")
    #expect(mapping.model.origin == .code)
    #expect(
      try migrate(shop, mapping).prefix(3) == ["a 1 A 0 [-]", "b 2 B 10 [-]", "c 3 C 20 [-]"])
  }

  @Test(
    "a mapping model read from a file gets other hashes, a filter and an expression; the file stays as it is")
  func file() throws {
    let shop = try NotasShop(policy: "DictionaryPolicy")
    let (source, destination) = try models(shop)
    func read() throws -> NSMappingModel {
      try #require(
        NSMappingModel(inFolders: [shop.catalogue], forSourceModel: source, destinationModel: destination))
    }
    let mapping = try read()
    let entity = try #require(mapping.entityMappingsByName["NotaToNota"])
    entity.entityMigrationPolicyClassName = nil
    entity.sourceEntityVersionHash = Data([1, 2, 3])
    #expect(entity.sourceEntityVersionHash == Data([1, 2, 3]))
    entity.sourceExpression = Self.fetch("orden > 3")
    let row = NSPropertyMapping()
    row.name = "titulo"
    row.valueExpression = NSExpression(forConstantValue: "made")
    entity.attributeMappings = (entity.attributeMappings ?? []).filter { $0.name != "titulo" } + [row]
    #expect(try migrate(shop, mapping) == ["- 4 made 30 [-]", "e 5 made 40 [-]", "categories "])
    #expect(try read().entityMappingsByName["NotaToNota"]?.entityMigrationPolicyClassName == "DictionaryPolicy")
  }

  @Test("a mapping model made in code migrates a store; user info with any value reaches the policy")
  func made() throws {
    final class Limit: NSObject { let most = 2 }
    final class LimitedPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        guard let limit = mapping.userInfo?["limit"] as? Limit,
          (sInstance.value(forKey: "orden") as? Int ?? 0) <= limit.most
        else { return }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
    }
    let shop = try NotasShop()
    let mapping = NSMappingModel()
    let entity = NSEntityMapping()
    entity.name = "Made"
    entity.mappingType = .customEntityMappingType
    entity.sourceEntityName = "Nota"
    entity.destinationEntityName = "Nota"
    entity.entityMigrationPolicyClassName = "LimitedPolicy"
    entity.userInfo = ["limit": Limit()]
    entity.attributeMappings = ["texto", "orden"].map { name in
      let row = NSPropertyMapping()
      row.name = name
      row.valueExpression = NSExpression(format: "$source.\(name)")
      return row
    }
    mapping.entityMappings = [entity]
    let (source, destination) = try models(shop)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.registry.add(LimitedPolicy.self, as: "LimitedPolicy")
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(try shop.lines() == ["a 1 - - [-]", "b 2 - - [-]", "categories "])
  }

  @Test("a copy has mappings of its own")
  func copy() throws {
    let mapping = try inferred(try NotasShop())
    let copy = try #require(mapping.copy() as? NSMappingModel)
    copy.entityMappings.first?.name = "Other"
    copy.entityMappings.first?.attributeMappings?.first?.name = "other"
    #expect(copy.entityMappings.first?.name == "Other")
    #expect(mapping.entityMappings.first?.name != "Other")
    #expect(mapping.entityMappings.first?.attributeMappings?.first?.name != "other")
    #expect(mapping.model.origin == .inferred)
  }

  @Test(
    "a part of a mapping model that can't be used is refused, and the message says why",
    arguments: [
      ("expression", "parse"), ("fetch", "FETCH("), ("property", "a property mapping has no name"),
      ("entity", "Nadie"),
    ])
  func refusals(kind: String, words: String) throws {
    let shop = try NotasShop()
    let mapping = try inferred(shop)
    let entity = try #require(mapping.entityMappingsByName["NotaToNota"])
    switch kind {
    case "expression": entity.attributeMappings?.first?.valueExpression = NSExpression(format: "parse this (")
    case "fetch": entity.sourceExpression = NSExpression(format: "FETCH(")
    case "property": entity.attributeMappings = [NSPropertyMapping()]
    default: entity.destinationEntityName = "Nadie"
    }
    let error = #expect(throws: CoreDataError.self) { try migrate(shop, mapping) }
    #expect(error?.message.contains(words) == true, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }
}
