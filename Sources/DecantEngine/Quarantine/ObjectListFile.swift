package import DecantStore

/// A JSON file that lists the objects of a quarantine, or stray rows, with a line for each.
package struct ObjectListFile {
  package let lines: LineFile
  private var isEmpty = true

  /// - Parameters:
  ///   - store: The UUID of the source and the delivered store.
  ///   - quarantine: The UUID of the store with the listed objects or rows.
  package init(_ path: String, store: String, quarantine: String) throws(StoreError) {
    lines = try LineFile(path)
    try lines.write(
      "{\"store\": \(QuarantineList.json(store)), \"quarantine\": \(QuarantineList.json(quarantine)), \"objects\": ["
    )
  }

  /// Begins the line of an object or row.
  package mutating func beginObject() throws(StoreError) {
    try lines.write(isEmpty ? "\n" : ",\n")
    isEmpty = false
  }

  package func close() throws(StoreError) {
    try lines.write("\n]}\n")
    try lines.close()
  }
}
