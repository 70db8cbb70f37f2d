package import Foundation

/// One element of a small XML file, held whole.
package struct XMLTree: Sendable {
  /// The element's name.
  package let name: String
  /// Its attributes by name.
  package let attributes: [String: String]
  /// Line of the start tag, from 1.
  package let line: Int
  /// Its child elements in file order.
  package var children: [XMLTree] = []
  /// Character data directly inside the element.
  package var text = ""

  /// The children of that name.
  package func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// The first child of that name.
  package func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// Parses a document without fetching anything that it refers to.
  ///
  /// - Throws: `ModelError.malformed` with the line.
  package static func parse(_ data: Data) throws(ModelError) -> XMLTree {
    var reader = XMLReader(bytes: [UInt8](data))
    return try reader.document()
  }
}
