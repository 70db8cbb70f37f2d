import DecantTestSupport

/// The files of a small app: a policy, managed object classes as Xcode writes them, a migrator, a view and a test.
enum PortFixture {
  static func write(to folder: TemporaryFolder) throws {
    try folder.write(policy, to: "app/Migration/NotaPolicy.swift")
    try folder.write("\u{FEFF}" + nota.replacing("\n", with: "\r\n"), to: "app/Model/Nota.swift")
    try folder.write(properties, to: "app/Model/Nota+CoreDataProperties.swift")
    try folder.write(migrator, to: "app/Migration/Migrator.swift")
    try folder.write("import SwiftUI\nstruct NotasView { }\n", to: "app/NotasView.swift")
    try folder.write("import XCTest\nlet manager: NSMigrationManager\n", to: "app/Tests/MigrationTests.swift")
  }

  private static let policy = """
    import CoreData
    import UIKit
    import os.log

    @objc(NotaPolicy)
    final class NotaPolicy: NSEntityMigrationPolicy {
      private let logger = Logger(subsystem: "org.example.notas", category: "migration")

      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        guard let nota = made.first as? Nota else { return }
        nota.titulo = sInstance.value(forKey: #keyPath(Nota.titulo)) as? String
        nota.addToTags(NSSet())
        nota.estado = .vieja
        nota.fecha = nota.fecha.addingTimeInterval(nota.orden > 3 ? 1 : 0)
        logger.info("Made \\(nota.titulo ?? "", privacy: .public) with \\(nota.tags.count) tags")
      }

      @objc func nombre(forOrden orden: NSNumber) -> String { "n\\(orden)" }
    }

    """

  private static let nota = """
    import Foundation
    import CoreData

    @objc(Nota)
    public class Nota: NSManagedObject {
    }

    @objc public enum Estado: Int16 {
      case nueva, vieja
    }

    public class Tag: NSManagedObject {
      @NSManaged var a: Int32, b: Double

      init(a: Int32, in context: NSManagedObjectContext) {
        super.init(entity: Self.entity(), insertInto: context)
        self.a = a
      }
    }

    """

  private static let properties = """
    import CoreData

    extension Nota {
        @nonobjc public class func fetchRequest() -> NSFetchRequest<Nota> {
            return NSFetchRequest<Nota>(entityName: "Nota")
        }

        @NSManaged public var titulo: String?
        @NSManaged public var orden: Int64
        @NSManaged public var fecha: Date
        @NSManaged public var estado: Estado
        @NSManaged public var peso: NSDecimalNumber?
        @NSManaged public var tags: Set<Tag>
        @NSManaged public var otros: Set<Tag>?
        @NSManaged public var pasos: NSOrderedSet?
        @NSManaged public var madre: Nota!
        @NSManaged public var hija: Nota
        @NSManaged public var medida: NSNumber?
    }

    // MARK: Generated accessors for tags
    extension Nota {
        @objc(addTagsObject:)
        @NSManaged public func addToTags(_ value: Tag)

        @objc(addTags:)
        @NSManaged public func addToTags(_ values: NSSet)

        @objc(removeTags:)
        @NSManaged public func removeFromTags(_ values: NSSet)

        @objc(insertObject:inPasosAtIndex:)
        @NSManaged public func insertIntoPasos(_ value: Tag, at idx: Int)

        @objc(insertPasos:atIndexes:)
        @NSManaged public func insertIntoPasos(_ values: [Tag], at indexes: NSIndexSet)

        @objc(replacePasosAtIndexes:withPasos:)
        @NSManaged public func replacePasos(at indexes: NSIndexSet, with values: [Tag])

        @objc(removePasosAtIndexes:)
        @NSManaged public func removeFromPasos(at indexes: NSIndexSet)

        @objc(addPasos:)
        @NSManaged public func addToPasos(_ values: NSOrderedSet)
    }

    extension Nota : Identifiable {
    }

    """

  private static let migrator = """
    import CoreData

    final class Migrator: NSObject {
      @objc dynamic var progress: Float = 0

      func migrate(_ store: URL, from source: NSManagedObjectModel, to target: NSManagedObjectModel) throws {
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: target)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: target)
        try manager.migrateStore(
          from: store, type: .sqlite, mapping: mapping, to: store.appendingPathExtension("new"), type: .sqlite)
      }
    }

    """
}
