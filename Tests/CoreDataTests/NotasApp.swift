import CoreData
import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

/// An app's bundle as Xcode builds it, with `Notas.momd` and a mapping model, and a store of the first version.
struct NotasApp {
  let shop: NotasShop
  let bundle: Bundle

  init() throws {
    shop = try NotasShop()
    let app = shop.folder.url.appendingPathComponent("App")
    let models = app.appendingPathComponent("Notas.momd")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    for version in ["Notas", "Notas 2"] {
      let data = CompiledModelWriter.data(try shop.model(version))
      try data.write(to: models.appendingPathComponent("\(version).mom"))
    }
    try PropertyList.dictionary(["NSManagedObjectModel_CurrentVersionName": .string("Notas 2")]).binaryData()
      .write(to: models.appendingPathComponent("VersionInfo.plist"))
    try shop.folder.write(
      "{ source: 'Notas', destination: 'Notas 2', entityMappings: [ { name: 'NotaToNota', source: 'Nota', "
        + "destination: 'Nota', policy: 'PolicyShapes.DictionaryPolicy' } ] }", to: "App/Notas.mapping.json5")
    bundle = try #require(Bundle(path: app.path))
  }

  func model(_ version: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.model(
      at: shop.folder.url.appendingPathComponent("App/Notas.momd/\(version).mom"))
  }

  func url(_ name: String) -> URL { shop.folder.url.appendingPathComponent(name) }

  /// The names of the files in a folder.
  func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted()
  }

  static let migrated = [
    "a 0 - 0 [casa]", "b 0 - 10 [-]", "c 0 - 20 [calle]", "- 0 - 30 [casa]", "e 0 - 40 [casa]",
    "categories calle,casa",
  ]
}
