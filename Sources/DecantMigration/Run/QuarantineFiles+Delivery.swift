internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
package import DecantStore
internal import FileNames
internal import Foundation

extension QuarantineFiles {
  /// Copies the files to another place, with the external files of the objects' values; the store comes last.
  ///
  /// The files stay here, too. If a run ends before its result is delivered, a later run delivers them again.
  ///
  /// The external files are copied, not moved, because an object of the job's result may use the same file.
  ///
  /// - Parameter goesOn: Asked before each external file; false ends the delivery.
  /// - Throws: `StoreError`, also if the files don't exist; `SQLiteError`.
  func deliver(
    to target: QuarantineFiles, layout: StoreLayout, external: ExternalData, while goesOn: () -> Bool
  ) throws {
    let beside = ExternalData(store: URL(fileURLWithPath: target.store))
    try forEachExternalName(layout) { name in
      guard goesOn() else { throw StoreError.stopped(path: beside.folder) }
      try external.copy(file: name, to: beside)
    }
    try beside.sync()
    for (file, name) in [(list, target.list), (store, target.store)] {
      unlink(name)
      guard try !ExternalData.link(file, to: name) else { continue }
      try FileCopy.copy(file, to: name)
      try FileCopy.sync(name)
    }
    try FileCopy.sync(PathText.folder(of: target.store))
  }

  /// Calls the body with each external file name in the store's values.
  package func forEachExternalName(_ layout: StoreLayout, _ body: (String) throws -> Void) throws {
    let database = try SQLiteDatabase(store, mode: .immutable)
    for table in layout.tables {
      for column in table.columns {
        guard case .attribute(let property) = column.role,
          layout.model.attribute(property.name, of: property.entity)?.allowsExternalBinaryDataStorage == true
        else { continue }
        let statement = try database.prepare(ExternalReferences.statement(column.name, in: table.name))
        while try statement.step() {
          if let name = ExternalReferences.fileName(statement.data(1)) { try body(name) }
        }
      }
    }
  }
}
