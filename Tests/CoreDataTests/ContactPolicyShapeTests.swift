import CoreData
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Policies for contacts, found without being registered") struct ContactPolicyShapeTests {
  /// Migrates a store from the second version to the third.
  ///
  /// - Parameters:
  ///   - policy: The policy of the bundle's entity mapping.
  ///   - rows: The contacts of the store; nil for the fixture's own.
  ///   - further: Entity mappings that run after it.
  /// - Returns: The lines of the result.
  private func run(
    _ policy: String, rows: [(nombre: String?, telefono: String?, edad: Int64?)]? = nil,
    further: [NSEntityMapping] = []
  ) throws -> [String] {
    let shop =
      try rows.map { try AgendaShop(policy: nil, store: 2, rows: $0) } ?? AgendaShop(policy: nil, store: 2)
    let source = try #require(NSManagedObjectModel(contentsOf: shop.file(2)))
    let destination = try #require(NSManagedObjectModel(contentsOf: shop.file(3)))
    let mapping = try #require(
      NSMappingModel(from: [try shop.bundle()], forSourceModel: source, destinationModel: destination))
    mapping.entityMappings.first?.entityMigrationPolicyClassName = policy
    mapping.entityMappings += further
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    return try shop.lines()
  }

  @Test("a policy makes objects of two entities from one source object, and relates them later")
  func split() throws {
    #expect(
      try run("SplitTelephonesPolicy") == MigratorShapeTests.final.map { $0.replacing(" favorito=0", with: "") }
    )
  }

  @Test("one object is made for each name, and several source objects share it")
  func deduplicated() throws {
    #expect(try run("DeduplicatingPolicy") == ["contacto edad=30 nombre=Ana", "contacto nombre=Zoe"])
  }

  @Test("a broken validation rule of the app ends the migration with the app's message")
  func validated() throws {
    #expect(try run("ValidatingPolicy").count == 3)
    let error = #expect(throws: CoreDataError.self) {
      try run("ValidatingPolicy", rows: [("Zoe", nil, 4)])
    }
    #expect(error?.message.contains("Zoe has no age") == true, "\(error as Any)")
    // The app's own error is there with its details.
    let own = try #require(error?.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(own.code == NSValidationMultipleErrorsError)
    let detail = (own.userInfo[NSDetailedErrorsKey] as? [NSError])?.first
    #expect(detail?.userInfo[NSValidationKeyErrorKey] as? String == "edad")
  }

  @Test("attribute mappings are evaluated in a loop")
  func loop() throws {
    #expect(
      try run("AttributeLoopPolicy") == [
        "contacto edad=30 nombre=Ana", "contacto nombre=Zoe", "contacto edad=31 nombre=ana",
      ])
  }

  @Test("a policy finds the objects of an earlier entity mapping, and fetches source objects")
  func lookUp() throws {
    let telefono = NSEntityMapping()
    telefono.name = "ContactoToTelefono"
    telefono.sourceEntityName = "Contacto"
    telefono.destinationEntityName = "Telefono"
    telefono.entityMigrationPolicyClassName = "App.LookUpPolicy"
    let lines = try run(
      "NSEntityMigrationPolicy", rows: [("a", "7", nil), ("b", nil, nil), ("c", "7", nil)], further: [telefono])
    #expect(
      lines == [
        "contacto nombre=a", "contacto nombre=b", "contacto nombre=c", "telefono contacto=a numero=7 (2)",
        "telefono contacto=c numero=7 (2)",
      ])
  }

  @Test("a class whose function an expression calls is found")
  func functions() throws {
    let contacto = NSEntityMapping()
    contacto.name = "More"
    contacto.sourceEntityName = "Contacto"
    contacto.destinationEntityName = "Contacto"
    let edad = NSPropertyMapping()
    edad.name = "edad"
    edad.valueExpression = NSExpression(
      format: "FUNCTION(CAST('App.AgeFunctions', 'Class'), 'words:', $source.edad)")
    contacto.attributeMappings = [edad]
    let lines = try run("NSEntityMigrationPolicy", rows: [("a", nil, 30), ("b", nil, 31)], further: [contacto])
    #expect(lines.suffix(2) == ["contacto edad=younger", "contacto edad=older"])
  }
}
