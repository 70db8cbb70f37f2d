package import DecantStore
internal import Foundation

/// A summary of an XML store, read without its model.
package struct XMLStoreSummary: Sendable {
  /// UUID and metadata; there are no version hashes if Mac OS X 10.4 wrote the store.
  package let metadata: StoreMetadata
  /// The last number that was assigned to an object, as the file states it; 0 if the file doesn't state it.
  package let lastNumber: Int64
  /// The number of objects by entity name; in an XML store these names are in upper case.
  package let objects: [String: Int]
  /// The number of references by relationship, as `ENTITY.name`.
  package let references: [String: Int]

  /// Reads a whole file; the memory that this needs doesn't grow with the file.
  ///
  /// - Returns: `nil` for a file that isn't XML.
  package static func read(_ path: String) throws(StoreError) -> XMLStoreSummary? {
    guard try StoreFileHeader.isXML(path) else { return nil }
    let reader = try XMLStoreReader(path)
    var objects: [String: Int] = [:]
    var references: [String: Int] = [:]
    while let object = try reader.next() {
      objects[object.type, default: 0] += 1
      guard objects.count <= 100_000, references.count <= 1_000_000 else {
        throw reader.fault(object, nil, "there are more entities or relationships than any model has")
      }
      for item in object.relationships {
        var number = 0
        var ids = XMLIDList(item.references)
        while ids.next() != nil { number += 1 }
        if number > 0 { references["\(object.type).\(item.name)", default: 0] += number }
      }
    }
    return XMLStoreSummary(
      metadata: StoreMetadata(uuid: reader.uuid, entries: reader.metadata), lastNumber: reader.nextObjectID,
      objects: objects, references: references)
  }
}
