internal import CExpat

/// The callbacks for expat. The reader owns the parser and frees it, so the parser holds the reader unretained.
extension XMLEventReader {
  private static func reader(_ context: UnsafeMutableRawPointer?) -> XMLEventReader? {
    context.map { Unmanaged<XMLEventReader>.fromOpaque($0).takeUnretainedValue() }
  }

  func setCallbacks() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLEventReader.reader($0)?.startElement($1, $2) },
      { context, _ in XMLEventReader.reader(context)?.endElement() })
    XML_SetCharacterDataHandler(parser) { XMLEventReader.reader($0)?.characters($1, Int($2)) }
    XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
      XMLEventReader.reader(context)?.declaration(encoding)
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, hasDeclarations in
      XMLEventReader.reader(context)?.documentType(hasDeclarations: hasDeclarations != 0)
    }
    XML_SetSkippedEntityHandler(parser) { context, _, _ in
      XMLEventReader.reader(context)?.stop(XMLFault.unknownReference)
    }
  }

  private func startElement(
    _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    guard fault == nil, let name, let attributes else { return }
    var tag = XMLTag(name: String(cString: name), line: line)
    elements += 1
    guard open.count < bounds.depth else { return stop("the elements are nested too deeply") }
    guard elements <= bounds.elements else { return stop("there are more than \(bounds.elements) elements") }
    guard tag.name.utf8.count <= bounds.name else { return stop("a name is longer than \(bounds.name) bytes") }
    var place = 0
    while let key = attributes[place], let value = attributes[place + 1] {
      guard tag.attributes.count < bounds.attributes else {
        return stop("“\(tag.name)” has more than \(bounds.attributes) attributes")
      }
      guard let key = attributeName(key) else { return }
      tag.attributes.append(XMLTag.Attribute(name: key, value: String(cString: value)))
      place += 2
    }
    guard !hasDocumentType || hasKnownReferences else { return stop(XMLFault.unknownReference) }
    open.append(tag.name)
    event = .start(tag)
    XML_StopParser(parser, XML_Bool(XML_TRUE))
  }

  private func attributeName(_ pointer: UnsafePointer<XML_Char>) -> String? {
    if let name = attributeNames[pointer] { return name }
    let name = String(cString: pointer)
    guard name.utf8.count <= bounds.name else {
      stop("a name is longer than \(bounds.name) bytes")
      return nil
    }
    guard attributeNames.count < bounds.attributeNames else {
      stop("there are more than \(bounds.attributeNames) names of attributes")
      return nil
    }
    attributeNames[pointer] = name
    return name
  }

  /// Whether all references in a start tag are numbers or names that XML predefines.
  ///
  /// If a document type names a file, expat skips an unknown reference without an error, because that file could
  /// declare it.
  private var hasKnownReferences: Bool {
    var tag = XMLFault.input(of: parser).behind.prefix(Int(XML_GetCurrentByteCount(parser)))
    // Some builds of expat keep no buffer of their input. The references are then unknown, and the tag is refused.
    guard !tag.isEmpty else { return false }
    while let place = tag.firstIndex(of: UInt8(ascii: "&")) {
      tag = tag[(place + 1)...]
      let name = String(decoding: tag.prefix(5).prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      guard name.hasPrefix("#") || ["amp", "lt", "gt", "quot", "apos"].contains(name) else { return false }
    }
    return true
  }

  private func endElement() {
    guard fault == nil else { return }
    open.removeLast()
    if event != nil {
      isEmptyElement = true
    } else {
      event = .end
      XML_StopParser(parser, XML_Bool(XML_TRUE))
    }
  }

  private func characters(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard fault == nil else { return }
    text += UnsafeRawBufferPointer(start: bytes, count: count)
    if text.count > bounds.text { stop("a text is larger than \(bounds.text >> 20) MiB") }
  }

  private func declaration(_ encoding: UnsafePointer<XML_Char>?) {
    guard let name = encoding.map({ String(cString: $0) }) else { return }
    guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased()) else {
      return stop("the file is in the encoding “\(name.prefix(40))”; Core Data writes UTF-8")
    }
  }

  private func documentType(hasDeclarations: Bool) {
    hasDocumentType = true
    if hasDeclarations {
      stop("the document type has declarations of its own, which no file of Core Data has")
    }
  }
}
