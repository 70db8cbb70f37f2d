import CoreData
import DecantMigration
import DecantPolicies
import DecantReport
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import PolicyShapes

@Suite("Transformable values in policies and contexts")
struct TransformableTests {
  init() { ArticulosApp.registerTransformers() }

  private static let sheet = Articulos.dictionary([("isbn", "84-1"), ("editor", "Mar")])

  /// Checks the values that `EtiquetasPolicy` sets.
  private func check(_ shop: Articulos) throws {
    let (context, objects) = try shop.objects()
    let first = try #require(objects.first)
    #expect(first.value(forKey: "resumen") as? String == "mar, sol")
    #expect(first.value(forKey: "autores") as? [String] == ["Ana", "Luis"])
    #expect(first.value(forKey: "autores") as? NSArray == ["Ana", "Luis"] as NSArray)
    let sheet = try #require(first.value(forKey: "ficha") as? [String: Any])
    #expect(sheet["isbn"] as? String == "84-1")
    #expect(sheet["etiquetas"] as? [String] == ["mar", "sol"])
    let tone = try #require(first.value(forKey: "color") as? Tono)
    #expect((tone.rojo, tone.verde, tone.azul) == (255, 0, 16))
    let cover = try #require(first.value(forKey: "portada") as? Portada)
    #expect(cover.titulo == "Tapa" && cover.paginas == 12 && cover.palabras == ["una"])
    #expect(!context.hasChanges)
    #expect(try shop.stored("ZCOLOR") == [Data([255, 0, 16])])
    // The archive has the class name that the app knows.
    let archive = try Archive(parsing: try #require(try shop.stored("ZPORTADA")[0])).root()
    #expect(archive.className == "Articulos.Portada")
    #expect(archive.classNames == ["Articulos.Portada", "NSObject"])
    let names = try Archive(parsing: try #require(try shop.stored("ZAUTORES")[0])).root()
    #expect(names.className == "NSArray" && names.classNames == ["NSArray", "NSObject"])
  }

  @Test("an array is read as [String], an array and a dictionary are written, custom classes are copied")
  func lists() throws {
    let shop = try Articulos(policy: "EtiquetasPolicy", [Articulos.Row(ficha: Self.sheet)])
    try shop.run(EtiquetasPolicy.self)
    try check(shop)
  }

  @Test("a worker makes the same values")
  func worker() throws {
    let shop = try Articulos(policy: "App.EtiquetasPolicy", [Articulos.Row(ficha: Self.sheet)])
    let run = try ClassesTests().decant([
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
      Repository.program("shapes-worker"),
    ])
    #expect(run.code == 0, "\(run.messages)")
    try check(shop)
  }

  @Test("if a wrong cast ends a worker, the message has the attribute and the reason")
  func wrongCast() throws {
    let shop = try Articulos(policy: "EtiquetasPolicy", [Articulos.Row(etiquetas: Data([1, 2, 3]))])
    let run = try ClassesTests().decant([
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
      Repository.program("shapes-worker"),
    ])
    #expect(run.code == 70)
    #expect(
      run.messages.contains("a value of “Articulo.etiquetas” comes as Data, because the archive can't be read"),
      "\(run.messages)")
    #expect(run.messages.contains("Could not cast value of type"), "\(run.messages)")
  }

  @Test("migrateStore finds the policy and makes the same values")
  func inProcess() throws {
    let shop = try Articulos(policy: "EtiquetasPolicy", [Articulos.Row(ficha: Self.sheet)])
    let manager = NSMigrationManager(sourceModel: try shop.model(1), destinationModel: try shop.model(2))
    let mapping = try NSMappingModel.mappingModel(
      at: shop.catalogue.appendingPathComponent("Articulos/Articulos.mapping.json5"))
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try check(shop)
  }

  @Test("objects of the app's classes are changed; what the policy doesn't touch stays byte for byte")
  func changed() throws {
    let sheet = Data("no archive".utf8)
    let shop = try Articulos(
      policy: "OpuestoPolicy", [Articulos.Row(ficha: sheet, ajeno: Articulos.list("a"))],
      mapping: "attributes: { titulo: '$source.titulo', color: '$source.color', ficha: '$source.ficha', "
        + "portada: '$source.portada', ajeno: '$source.ajeno' }")
    try shop.run(OpuestoPolicy.self)
    let first = try #require(try shop.objects().1.first)
    #expect(try shop.stored("ZCOLOR") == [Data([0, 255, 239])])
    #expect(try shop.stored("ZFICHA") == [sheet])
    #expect(try shop.stored("ZAJENO") == [Articulos.list("a")])
    let cover = try #require(first.value(forKey: "portada") as? Portada)
    #expect(cover.titulo == "TAPA" && cover.paginas == 13 && cover.escala == 1.5 && cover.esBorrador)
    #expect(cover.palabras == ["una", "nueva"])
    #expect(cover.contraportada?.titulo == "Tapa")
  }

  @Test("without its class or transformer a value is Data, and is written back as it is")
  func unknown() throws {
    let foreign = Articulos.cover(className: "Articulos.Desconocida")
    let rows = [
      Articulos.Row(titulo: "A", ficha: foreign, portada: foreign, ajeno: Data([7, 8])),
      Articulos.Row(titulo: "B", ficha: Data([1, 2, 3]), portada: Data([9])),
    ]
    let shop = try Articulos(policy: "CopiaPolicy", rows)
    try shop.run(CopiaPolicy.self)
    #expect(try shop.stored("ZFICHA") == [foreign, Data([1, 2, 3])])
    #expect(try shop.stored("ZPORTADA") == [foreign, Data([9])])
    #expect(try shop.stored("ZAJENO") == [Data([7, 8]), nil])
    let objects = try shop.objects().1
    #expect(objects[0].value(forKey: "ficha") as? Data == foreign)
    #expect(objects[0].value(forKey: "ajeno") as? Data == Data([7, 8]))
  }

  @Test("unreadable bytes are copied, but a policy's new Data with the same bytes is archived")
  func equal() throws {
    let strange = Data([1, 2, 3])
    let shop = try Articulos(
      policy: "IgualPolicy", [Articulos.Row(titulo: "A", ficha: strange), Articulos.Row(titulo: "B")])
    try shop.run(IgualPolicy.self)
    let stored = try shop.stored("ZFICHA")
    #expect(stored[0] == strange)
    #expect(try Archive(parsing: try #require(stored[1])).root().data == strange)
  }

  @Test("the archive of a new object has the class name of the store's archives, even if none was read")
  func new() throws {
    let shop = try Articulos(policy: "NuevaPolicy")
    try shop.run(NuevaPolicy.self)
    let stored = try shop.stored("ZPORTADA").compactMap { $0 }
    #expect(
      try stored.map { try Archive(parsing: $0).root().classNames } == [["Articulos.Portada", "NSObject"]])
  }

  @Test("an archive within an archive stays an archive, even if a policy handles it as Data")
  func nested() throws {
    var writer = ArchiveWriter()
    let inner = Articulos.cover("Anidada", className: "Articulos.Desconocida")
    let root = writer.add(.data(inner))
    let outer = writer.data(root: root)
    let shop = try Articulos(policy: "CopiaPolicy", [Articulos.Row(ficha: outer)])
    try shop.run(CopiaPolicy.self)
    #expect(try shop.objects().1[0].value(forKey: "ficha") as? Data == inner)
    let stored = try Archive(parsing: try #require(try shop.stored("ZFICHA")[0])).root()
    #expect(stored.data == inner)
  }

  @Test("methods that a mapping model calls take and return objects; value expressions give objects, too")
  func methods() throws {
    let shop = try Articulos(
      policy: "PartesPolicy", [Articulos.Row(ficha: Self.sheet), Articulos.Row(titulo: "Dos", etiquetas: nil)],
      mapping: "attributes: { titulo: '$source.titulo', "
        + "autores: \"FUNCTION($entityPolicy, 'partesDe:', $source.autor)\", "
        + "resumen: \"FUNCTION($entityPolicy, 'juntas:', $source.etiquetas)\", "
        + "color: \"FUNCTION($entityPolicy, 'opuesto:', $source.color)\", portada: '$source.portada' }")
    try shop.run(PartesPolicy.self)
    let objects = try shop.objects().1
    #expect(objects.map { $0.value(forKey: "resumen") as? String } == ["-", "mar+sol"])
    #expect(objects.map { $0.value(forKey: "autores") as? [String] } == [["Ana", "Luis"], ["Ana", "Luis"]])
    #expect((objects[0].value(forKey: "color") as? Tono)?.verde == 255)
    let other = try Articulos(
      policy: "ExpresionesPolicy", [Articulos.Row(ficha: Self.sheet)],
      mapping: "attributes: { titulo: '$source.titulo', ficha: '$source.ficha', color: '$source.color', "
        + "portada: '$source.portada' }")
    try other.run(ExpresionesPolicy.self)
    #expect(try other.stored("ZCOLOR") == [Data([255, 0, 16])])
    let found = try #require(try other.objects().1.first)
    #expect((found.value(forKey: "portada") as? Portada)?.titulo == "Tapa")
    #expect((found.value(forKey: "ficha") as? [String: String])?["isbn"] == "84-1")
    // An attribute of strings can't have an array.
    let wrong = try Articulos(
      policy: "PartesPolicy",
      mapping: "attributes: { resumen: \"FUNCTION($entityPolicy, 'partesDe:', $source.autor)\" }")
    let error = #expect(throws: MigrationFailure.self) { try wrong.run(PartesPolicy.self) }
    #expect(
      "\(error as Any)".contains("“partesDe:” gave Array<String>, which isn't a value"), "\(error as Any)")
  }

  @Test("each call of a method gets its own arguments, objects as well as other values")
  func twoCalls() throws {
    let (list, text) = ("$source.etiquetas", "$source.autor")
    for (condition, positive, negative) in [("TRUEPREDICATE", list, text), ("FALSEPREDICATE", text, list)] {
      let shop = try Articulos(
        policy: "PartesPolicy",
        mapping: "attributes: { resumen: \"TERNARY(\(condition), "
          + "FUNCTION($entityPolicy, 'juntas:', \(positive)), FUNCTION($entityPolicy, 'juntas:', \(negative)))\" }"
      )
      try shop.run(PartesPolicy.self)
      #expect(try shop.objects().1.first?.value(forKey: "resumen") as? String == "mar+sol", "\(condition)")
    }
    // Calls within another call; and an attribute that is compared as well as passed as an object.
    let (tags, tone) = (
      "FUNCTION($entityPolicy, 'juntas:', $source.etiquetas)",
      "FUNCTION($entityPolicy, 'nombre:', $source.color)"
    )
    for (first, second, expected) in [
      (tags, tone, "mar+sol/255 0 16"), (tone, tags, "255 0 16/mar+sol"), (tags, tags, "mar+sol/mar+sol"),
      (
        "FUNCTION($entityPolicy, 'juntas:', FUNCTION($entityPolicy, 'partesDe:', \(tags)))", tone,
        "mar+sol/255 0 16"
      ),
      ("TERNARY($source.color == NULL, 'none', \(tone))", tags, "255 0 16/mar+sol"),
    ] {
      let shop = try Articulos(
        policy: "PartesPolicy",
        mapping: "attributes: { resumen: \"FUNCTION($entityPolicy, 'une:con:', \(first), \(second))\" }")
      try shop.run(PartesPolicy.self)
      #expect(
        try shop.objects().1.first?.value(forKey: "resumen") as? String == expected, "\(first), \(second)")
    }
  }

  @Test("a list that contains itself ends the migration, not the process")
  func circle() throws {
    let shop = try Articulos(policy: "CirculoPolicy")
    let error = #expect(throws: MigrationFailure.self) { try shop.run(CirculoPolicy.self) }
    #expect(
      "\(error as Any)".contains(
        "“Articulo.ficha” can't be stored: the value has an object of type NSMutableArray that contains itself"),
      "\(error as Any)")
  }

  @Test("a value that can't be read or stored ends the migration with attribute, class and advice")
  func refused() throws {
    func failure(_ shop: Articulos, _ policy: NSEntityMigrationPolicy.Type) throws -> String {
      var registry = PolicyRegistry()
      registry.add(policy)
      let error = #expect(throws: MigrationFailure.self) {
        try Migration.run(
          MigrationJob(
            source: shop.source, output: shop.output,
            workFolder: shop.folder.url.appendingPathComponent("out/work"), catalogue: shop.catalogue,
            policies: registry))
      }
      return "\(error as Any)"
    }
    let reading = try failure(
      try Articulos(policy: "LeePolicy", [Articulos.Row(etiquetas: Articulos.cover())]), LeePolicy.self)
    #expect(
      reading.contains("“Articulo.etiquetas” can't be read") && reading.contains("Articulos.Portada")
        && reading.contains("NSArray"), "\(reading)")
    let foreign = try failure(try Articulos(policy: "AjenoPolicy"), AjenoPolicy.self)
    #expect(
      foreign.contains(
        "“Articulo.ajeno” was given Array<String>, but no transformer is registered as “OtroTransformer”"),
      "\(foreign)")
    let wrong = try failure(try Articulos(policy: "TonoFalsoPolicy"), TonoFalsoPolicy.self)
    #expect(
      wrong.contains("“Articulo.color” can't be stored: its transformer “ColorTransformer” made nil of String"),
      "\(wrong)")
    let object = try failure(try Articulos(policy: "ObjetoPolicy"), ObjetoPolicy.self)
    #expect(
      object.contains("“Articulo.ficha” can't be stored: a value of type Tono can't be archived"), "\(object)")
  }

  @Test("predicates over new objects compare the bytes, and a dictionary result has the objects")
  func fetching() throws {
    let shop = try Articulos(policy: "BuscaPolicy", [Articulos.Row(titulo: "A"), Articulos.Row(titulo: "B")])
    try shop.run(BuscaPolicy.self)
    let (context, objects) = try shop.objects()
    #expect(objects.map { $0.value(forKey: "resumen") as? String } == ["0", "1"])
    let request = NSFetchRequest<NSDictionary>(entityName: "Articulo")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["autores"]
    #expect(try context.fetch(request).first?["autores"] as? [String] == ["A"])
    // A value whose class the secure transformer doesn't allow is nil in a context.
    let other = try Articulos(policy: "LeePolicy", [Articulos.Row(etiquetas: Articulos.cover())])
    let (own, found) = try other.objects(of: other.source, version: 1)
    #expect(found[0].value(forKey: "etiquetas") == nil)
    #expect(throws: CoreDataError.self) { try own.save() }
  }
}
