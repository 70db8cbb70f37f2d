import CoreData
import DecantModel
import DecantPolicies
import DecantSQLite
import Foundation
import Testing

@Suite("Models that a program makes or changes") struct ModelsInCodeTests {
  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true, defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = properties
    return entity
  }

  /// The second version of the example's model, made in code.
  static func notas2() -> NSManagedObjectModel {
    let momento = attribute("momento", .dateAttributeType)
    momento.renamingIdentifier = "fecha"
    let nota = entity(
      "Nota",
      [
        momento, attribute("orden", .integer16AttributeType, defaultValue: 0),
        attribute("texto", .stringAttributeType), attribute("titulo", .stringAttributeType),
      ])
    let categoria = entity("Categoria", [attribute("nombre", .stringAttributeType, isOptional: false)])
    let (notas, categorias) = (NSRelationshipDescription(), NSRelationshipDescription())
    notas.name = "notas"
    notas.destinationEntity = nota
    notas.deleteRule = .nullifyDeleteRule
    notas.maxCount = 0
    notas.inverseRelationship = categorias
    categorias.name = "categorias"
    categorias.destinationEntity = categoria
    categorias.maxCount = 0
    categorias.inverseRelationship = notas
    nota.properties.append(categorias)
    categoria.properties.append(notas)
    let model = NSManagedObjectModel()
    model.entities = [nota, categoria]
    return model
  }

  private func read(_ shop: NotasShop, _ version: String = "Notas 2") throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: shop.bundle(version)))
  }

  @Test("a model made in code has the hashes of the same model in a file, and equals it")
  func hashes() throws {
    let shop = try NotasShop()
    let (made, file) = (Self.notas2(), try read(shop))
    #expect(made.entityVersionHashesByName == file.entityVersionHashesByName)
    #expect(made == file)
    #expect(made.versionChecksum == file.versionChecksum)
    #expect(made.model.entities == file.model.entities)
    let nota = try #require(made.entitiesByName["Nota"])
    #expect(nota.relationshipsByName["categorias"]?.destinationEntity === made.entitiesByName["Categoria"])
    #expect(
      nota.relationshipsByName["categorias"]?.inverseRelationship
        === made.entitiesByName["Categoria"]?.relationshipsByName["notas"])
    #expect(nota.attributesByName["orden"]?.entity === nota)
    #expect(nota.managedObjectModel === made)
  }

  @Test("a store is migrated to a model made in code")
  func migrates() throws {
    let shop = try NotasShop()
    let (source, destination) = (try read(shop, "Notas"), Self.notas2())
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(try shop.lines().prefix(2) == ["a 1 - 0 [-]", "b 2 - 10 [-]"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: shop.output)
    #expect(try read(shop).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test("each changed setting makes the model unequal, and setting it back makes it equal again")
  func settings() throws {
    let file = try read(try NotasShop())
    let model = try #require(file.copy() as? NSManagedObjectModel)
    #expect(model == file)
    #expect(model.entitiesByName["Nota"] !== file.entitiesByName["Nota"])
    let nota = try #require(model.entitiesByName["Nota"])
    let orden = try #require(nota.attributesByName["orden"])
    let categorias = try #require(nota.relationshipsByName["categorias"])
    func check(_ change: () -> Void, _ back: () -> Void, _ line: Int = #line) {
      change()
      #expect(model != file, "line \(line)")
      back()
      #expect(model == file, "line \(line)")
    }
    check({ orden.isOptional = false }, { orden.isOptional = true })
    check({ orden.attributeType = .integer32AttributeType }, { orden.attributeType = .integer16AttributeType })
    check({ orden.isTransient = true }, { orden.isTransient = false })
    check({ orden.name = "lugar" }, { orden.name = "orden" })
    check({ orden.versionHashModifier = "2" }, { orden.versionHashModifier = nil })
    check({ nota.isAbstract = true }, { nota.isAbstract = false })
    check({ nota.versionHashModifier = "2" }, { nota.versionHashModifier = nil })
    check({ nota.uniquenessConstraints = [["texto"]] }, { nota.uniquenessConstraints = [] })
    check({ categorias.isOrdered = true }, { categorias.isOrdered = false })
    check({ categorias.maxCount = 3 }, { categorias.maxCount = 0 })
    check({ nota.name = "Apunte" }, { nota.name = "Nota" })
    // The inverse relationship follows a rename.
    check({ categorias.name = "temas" }, { categorias.name = "categorias" })
    orden.defaultValue = 7
    nota.userInfo = ["key": "value"]
    nota.managedObjectClassName = "App.Nota"
    #expect(model == file)
    #expect(model.model.attribute("orden", of: "Nota")?.defaultValue == .integer(7))
    #expect(model.model.entity(named: "Nota")?.managedObjectClassName == "App.Nota")
    #expect(file.model.attribute("orden", of: "Nota")?.defaultValue == .integer(0))
  }

  @Test("subentities inherit properties; entities of a configuration and identifiers are kept in a copy")
  func inheritance() throws {
    let (base, child, other) = (
      Self.entity("Base", [Self.attribute("id", .UUIDAttributeType)]),
      Self.entity("Child", [Self.attribute("nombre", .stringAttributeType)]), Self.entity("Other", [])
    )
    base.isAbstract = true
    base.subentities = [child]
    let model = NSManagedObjectModel()
    model.entities = [other, base]
    model.setEntities([other], forConfigurationName: "Cloud")
    model.versionIdentifiers = ["7"]
    #expect(Set(model.entities.compactMap(\.name)) == ["Base", "Child", "Other"])
    #expect(Set(child.propertiesByName.keys) == ["id", "nombre"])
    #expect(child.superentity === base)
    #expect(child.isKindOf(entity: base))
    #expect(child.propertiesByName["id"]?.entity === base)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy == model)
    #expect(copy.configurations == ["Cloud"])
    #expect(copy.entities(forConfigurationName: "Cloud")?.compactMap(\.name) == ["Other"])
    #expect(copy.versionIdentifiers == ["7"])
    #expect(copy.entitiesByName["Child"]?.superentity === copy.entitiesByName["Base"])
    #expect(copy.model.root(of: "Child")?.name == "Base")
    // The getter's list has the inherited properties. They stay with the parent.
    child.properties += [Self.attribute("edad", .integer64AttributeType)]
    #expect(Set(child.propertiesByName.keys) == ["id", "nombre", "edad"])
    #expect(base.properties.map(\.name) == ["id"])
    base.subentities = []
    #expect(child.superentity == nil)
    #expect(child.propertiesByName["id"] == nil)
    #expect(copy.entitiesByName["Child"]?.propertiesByName["id"] != nil)
  }

  @Test("copied entities make another model, in which related entities are found by their names")
  func copiedEntities() throws {
    let file = try read(try NotasShop())
    let model = NSManagedObjectModel()
    model.entities = file.entities.compactMap { $0.copy() as? NSEntityDescription }
    #expect(model == file)
    #expect(
      model.entitiesByName["Nota"]?.relationshipsByName["categorias"]?.destinationEntity
        === model.entitiesByName["Categoria"])
    #expect(file.entitiesByName["Nota"]?.managedObjectModel === file)
  }

  @Test("an entity without a model has the same hash as in a model")
  func alone() throws {
    let entity = Self.entity("Sola", [Self.attribute("x", .stringAttributeType)])
    let hash = entity.versionHash
    #expect(hash.count == 32)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    #expect(model.entityVersionHashesByName == ["Sola": hash])
    #expect(NSEntityDescription().versionHash.isEmpty)
  }

  @Test("derived and composite attributes can be made in code")
  func kinds() throws {
    let derived = NSDerivedAttributeDescription()
    derived.name = "cuantas"
    derived.type = .integer64
    derived.derivationExpression = NSExpression(format: "notas.@count")
    let place = NSCompositeAttributeDescription()
    place.name = "lugar"
    place.elements = [Self.attribute("lat", .doubleAttributeType), Self.attribute("lon", .doubleAttributeType)]
    let model = Self.notas2()
    model.entitiesByName["Categoria"]?.properties += [derived, place]
    let value = model.model
    #expect(value.attribute("cuantas", of: "Categoria")?.isDerived == true)
    #expect(value.attribute("lugar.lat", of: "Categoria")?.type == .double)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.entitiesByName["Categoria"]?.attributesByName["cuantas"] is NSDerivedAttributeDescription)
    #expect(copy == model)
  }

  @Test("indexes and validation predicates are set and can be read again")
  func rules() throws {
    let model = Self.notas2()
    let nota = try #require(model.entitiesByName["Nota"])
    let orden = try #require(nota.attributesByName["orden"])
    let element = NSFetchIndexElementDescription(property: orden, collationType: .binary)
    element.isAscending = false
    let index = NSFetchIndexDescription(name: "byOrden", elements: [element])
    index.partialIndexPredicate = NSPredicate(format: "orden > 3")
    nota.indexes = [index]
    orden.setValidationPredicates(
      [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF < 9")],
      withValidationWarnings: [1620, "too large"])
    let value = try #require(model.model.entity(named: "Nota"))
    #expect(value.fetchIndexes.map(\.name) == ["byOrden"])
    #expect(value.fetchIndexes[0].elements == [.init(property: "orden", isAscending: false)])
    #expect(value.fetchIndexes[0].partialIndexPredicate == "orden > 3")
    #expect(
      model.model.attribute("orden", of: "Nota")?.validationPredicates == [
        ValidationPredicate(format: "SELF >= 1", warning: .code(1620)),
        ValidationPredicate(format: "SELF < 9", warning: .message("too large")),
      ])
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.entitiesByName["Nota"]?.indexes.first?.elements.first?.property?.name == "orden")
    #expect(
      copy.entitiesByName["Nota"]?.attributesByName["orden"]?.validationPredicates.map { $0.evaluate(with: 9) }
        == [true, false])
  }

  @Test(
    "descriptions that make no valid model are refused with the reason",
    arguments: [
      ("destination", "“notas” has no destination"), ("default", "defaultValue"), ("cycle", "own ancestor"),
      ("twice", "“texto” is there twice"), ("name", "a name is expected"),
      ("constraint", "uniquenessConstraints"),
    ])
  func refusals(kind: String, words: String) throws {
    let shop = try NotasShop()
    let model = Self.notas2()
    let nota = try #require(model.entitiesByName["Nota"])
    switch kind {
    case "destination": model.entitiesByName["Categoria"]?.relationshipsByName["notas"]?.destinationEntity = nil
    case "default": nota.attributesByName["orden"]?.defaultValue = "siete"
    case "cycle":
      let child = Self.entity("Child", [])
      nota.subentities = [child]
      child.subentities = [nota]
    case "twice": nota.properties += [Self.attribute("texto", .stringAttributeType)]
    case "name": nota.name = nil
    default: nota.uniquenessConstraints = [[7]]
    }
    let source = try read(shop, "Notas")
    let error = #expect(throws: CoreDataError.self) {
      try NSMigrationManager(sourceModel: source, destinationModel: model).migrateStore(
        from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: NSMappingModel(),
        toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    }
    #expect(error?.message.contains(words) == true, "\(error as Any)")
    #expect(model != Self.notas2())
  }
}
