import XMLReading

/// Reads a document in pieces of a given size.
struct XMLRun: Equatable {
  /// Tags with their lines, texts and ends, in file order.
  var lines: [String] = []

  init(_ text: String, bounds: XMLBounds = XMLBounds()) throws(XMLFault) {
    try self.init(Array(text.utf8), bounds: bounds)
  }

  /// - Parameter size: The bytes of a piece; `nil` for the reader's own choice.
  init(_ bytes: [UInt8], pieces size: Int? = nil, bounds: XMLBounds = XMLBounds()) throws(XMLFault) {
    let reader = try XMLEventReader(bounds)
    var rest = bytes[...]
    while lines.last != "finish" {
      guard let event = try reader.next() else {
        reader.feed { buffer in
          let piece = rest.prefix(min(size ?? buffer.count, buffer.count))
          buffer.copyBytes(from: piece)
          rest = rest.dropFirst(piece.count)
          return piece.count
        }
        continue
      }
      if !reader.text.isEmpty { lines.append(String(decoding: reader.text, as: UTF8.self)) }
      switch event {
      case .start(let tag):
        let attributes = tag.attributes.map { " \($0.name)=\($0.value)" }.joined()
        lines.append("\(tag.line) <\(tag.name)\(attributes)>")
      case .end: lines.append("/")
      case .finish: lines.append("finish")
      }
    }
  }

  /// The fault of a document, if it has one.
  static func fault(_ bytes: [UInt8], pieces size: Int? = nil, bounds: XMLBounds = XMLBounds()) -> XMLFault? {
    do {
      _ = try XMLRun(bytes, pieces: size, bounds: bounds)
      return nil
    } catch {
      return error
    }
  }

  static func fault(_ text: String, bounds: XMLBounds = XMLBounds()) -> XMLFault? {
    fault(Array(text.utf8), bounds: bounds)
  }
}
