package import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

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
    let builder = Builder()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    let parsed = parser.parse()
    if let failure = builder.failure { throw failure }
    guard parsed, let root = builder.root else {
      let reason = parser.parserError.map { Self.sentence(for: $0) } ?? "the file holds no element"
      throw .malformed(line: max(parser.lineNumber, 1), reason: reason)
    }
    return root
  }

  private static func sentence(for error: any Error) -> String {
    let code = (error as NSError).code
    return "the XML is not well-formed (libxml2 error \(code)); the file may be truncated or damaged"
  }

  private final class Builder: NSObject, XMLParserDelegate {
    static let maximumDepth = 64
    static let maximumElements = 2_000_000

    var root: XMLTree?
    var failure: ModelError?
    private var open: [XMLTree] = []
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      count += 1
      guard open.count < Self.maximumDepth, count <= Self.maximumElements else {
        failure = .malformed(
          line: parser.lineNumber, reason: "the XML is nested too deeply or has too many elements")
        parser.abortParsing()
        return
      }
      open.append(XMLTree(name: name, attributes: attributes, line: parser.lineNumber))
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += String(decoding: data, as: UTF8.self)
    }
  }
}
