import XMLReading

/// The events of a document that is read in pieces of a given size.
struct XMLRun: Equatable {
  /// The tags with their line numbers, the texts, `/` for each end tag, and `finish`, in the file's order.
  var lines: [String] = []

  init(_ text: String, bounds: XMLBounds = XMLBounds()) throws(XMLFault) {
    try self.init(Array(text.utf8), bounds: bounds)
  }

  /// - Parameter size: The number of bytes in a piece; `nil` for the reader's own buffer size.
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

  /// The fault of a document; nil if it has none.
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
