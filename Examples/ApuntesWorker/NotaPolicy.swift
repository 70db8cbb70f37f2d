// swift-format-ignore-file
// An app's own file, unchanged. It uses nothing of UIKit.

import CoreData
import UIKit

class NotaPolicy: NSEntityMigrationPolicy {

    override func createDestinationInstances(forSource sInstance: NSManagedObject,
                                             in mapping: NSEntityMapping,
                                             manager: NSMigrationManager) throws {
        let anterior = sInstance as! Nota
        let nota = NSEntityDescription.insertNewObject(forEntityName: mapping.destinationEntityName!,
                                                       into: manager.destinationContext) as! Nota
        nota.contenido = anterior.contenido
        nota.fecha = anterior.fecha

        // Notes without a category get no tag.
        if let categoria = anterior.categoria, !categoria.isEmpty {
            let etiqueta = try self.etiqueta(nombre: categoria, context: manager.destinationContext)
            nota.etiquetas = NSSet(object: etiqueta)
        }

        manager.associate(sourceInstance: sInstance, withDestinationInstance: nota, for: mapping)
    }

    private func etiqueta(nombre: String, context: NSManagedObjectContext) throws -> Etiqueta {
        let request: NSFetchRequest<Etiqueta> = Etiqueta.fetchRequest()
        request.predicate = NSPredicate(format: "nombre == %@", nombre)
        request.fetchLimit = 1
        if let etiqueta = try context.fetch(request).first {
            return etiqueta
        }
        let etiqueta = Etiqueta(context: context)
        etiqueta.nombre = nombre
        return etiqueta
    }
}
