package import Foundation
internal import XMLReading

/// One element of a small XML file, completely in memory.
package struct XMLTree: Sendable {
  package let name: String
  package let attributes: [String: String]
  /// Line of the start tag, from 1.
  package let line: Int
  /// Its child elements in file order.
  package var children: [XMLTree] = []
  /// Character data directly inside the element.
  package var text = ""

  package func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

  package func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// Parses a document without reading any other file.
  ///
  /// - Throws: `ModelError.malformed` with the line.
  package static func parse(_ data: Data) throws(ModelError) -> XMLTree {
    do throws(XMLFault) {
      return try document(data)
    } catch {
      throw .malformed(line: error.line, reason: error.reason)
    }
  }

  private static func document(_ data: Data) throws(XMLFault) -> XMLTree {
    var bounds = XMLBounds()
    (bounds.elements, bounds.attributes) = (2_000_000, 10_000)
    let reader = try XMLEventReader(bounds)
    var rest = data
    // The first entry stands for the file itself, and the others are the open elements.
    var open = [XMLTree(name: "", attributes: [:], line: 1)]
    while true {
      guard let event = try reader.next() else {
        reader.feed { bytes in
          let count = rest.copyBytes(to: bytes)
          rest = rest.dropFirst(count)
          return count
        }
        continue
      }
      if !reader.text.isEmpty { open[open.count - 1].text += String(decoding: reader.text, as: UTF8.self) }
      switch event {
      case .start(let tag):
        let attributes = Dictionary(tag.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        open.append(XMLTree(name: tag.name, attributes: attributes, line: tag.line))
      case .end:
        let element = open.removeLast()
        open[open.count - 1].children.append(element)
      case .finish:
        guard let root = open[0].children.first else {
          throw XMLFault(line: reader.line, reason: "the file holds no element")
        }
        return root
      }
    }
  }
}
