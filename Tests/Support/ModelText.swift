internal import Foundation

/// A model version that is written as lines.
///
/// `contents` is the text for the file `contents` of an `.xcdatamodel`.
///
/// ```
/// Note < Item was Memo          entity (`*` after the name: abstract), its parent, its renaming identifier
///   title String? = 'none'      attribute, `?` for optional, with a default
///   at Date? was moment
///   data Binary? external       also: transient, indexed, derived 'notes.@count', min 1, max 9, matches '[a-z]+'
///   tag -> Tag.notes            to-one with its inverse
///   tags ->> Tag.notes ordered  to-many; also: required, least 2
///   unique title,at
///   index byTitle title,at where 'at != nil'      a fetch index, with or without its predicate
///   author {id:Int64?,name:String?=x}?   a composite attribute; `~old` behind an element's type: its identifier
///   place Composite?            a composite attribute of one number, `{one:Int16?}`
/// ```
package struct ModelText {
  package private(set) var entities: [(head: String, body: [String])] = []

  package init(_ text: String) {
    for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
      let words = Self.words(String(line))
      if line.first?.isWhitespace == true {
        guard !entities.isEmpty else { continue }
        entities[entities.count - 1].body.append(Self.property(words))
      } else {
        entities.append((Self.head(words), []))
      }
    }
  }

  /// The file's text.
  package var contents: String {
    let body = entities.map { "<entity \($0.head)>\($0.body.sorted().joined())</entity>" }.joined()
    var composite = ""
    var done: Set<String> = []
    // A composite's name is the list of its elements. `one` is always added: elements of other composites may refer to
    // it.
    for part in body.components(separatedBy: " composite=\"").dropFirst() + ["\(Self.one)\""] {
      let name = String(part.prefix { $0 != "\"" })
      guard body.contains(" composite="), done.insert(name).inserted else { continue }
      composite += "<composite name=\"\(name)\">\(Self.elements(name))</composite>"
    }
    return "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\" "
      + "userDefinedModelVersionIdentifier=\"\">\(body)\(composite)</model>"
  }

  private static func head(_ words: [String]) -> String {
    var name = words[0]
    let isAbstract = name.hasSuffix("*")
    if isAbstract { name.removeLast() }
    return "name=\"\(name)\"" + flag("isAbstract", isAbstract)
      + text("parentEntity", word(after: "<", words)) + text("elementID", word(after: "was", words))
  }

  private static func property(_ words: [String]) -> String {
    if words[0] == "unique" {
      let values = words[1].split(separator: ",").map { "<constraint value=\"\($0)\"/>" }.joined()
      // `contents` sorts this behind the attributes and relationships. The reader accepts several of these elements.
      return
        "<uniquenessConstraints><uniquenessConstraint>\(values)</uniquenessConstraint></uniquenessConstraints>"
    }
    if words[0] == "index" {
      let elements = words[2].split(separator: ",").map {
        "<fetchIndexElement property=\"\($0)\" type=\"Binary\" order=\"ascending\"/>"
      }
      return "<fetchIndex name=\"\(words[1])\"" + text("partialIndexPredicate", word(after: "where", words))
        + ">\(elements.joined())</fetchIndex>"
    }
    let common = "name=\"\(words[0])\"" + text("elementID", word(after: "was", words))
    let isTransient = words.contains("transient")
    if words[1].hasPrefix("->") {
      let parts = words[2].split(separator: ".").map(String.init)
      let isToMany = words[1] == "->>"
      return "<relationship \(common)" + flag("optional", !words.contains("required"))
        + text("minCount", word(after: "least", words)) + " destinationEntity=\"\(parts[0])\""
        + (parts.count > 1 ? " inverseName=\"\(parts[1])\" inverseEntity=\"\(parts[0])\"" : "")
        + (isToMany ? " toMany=\"YES\"" : " maxCount=\"1\"") + flag("ordered", words.contains("ordered"))
        + flag("transient", isTransient) + " deletionRule=\"Nullify\"/>"
    }
    var type = words[1]
    let isOptional = type.hasSuffix("?")
    if isOptional { type.removeLast() }
    var elements = type == "Composite" ? one : ""
    if type.hasPrefix("{") {
      elements = String(type.dropFirst().dropLast())
      type = "Composite"
    }
    let standard = word(after: "=", words)
    return "<attribute \(common) attributeType=\"\(types[type] ?? type)\"" + flag("optional", isOptional)
      + text("composite", type == "Composite" ? elements : nil)
      + flag("transient", isTransient) + flag("indexed", words.contains("indexed"))
      + flag("allowsExternalBinaryDataStorage", words.contains("external"))
      + text(type == "Date" ? "minDateTimeInterval" : "minValueString", word(after: "min", words))
      + text(type == "Date" ? "maxDateTimeInterval" : "maxValueString", word(after: "max", words))
      + text("regularExpressionString", word(after: "matches", words))
      + text(type == "Date" ? "defaultDateTimeInterval" : "defaultValueString", standard)
      + (words.contains("derived") ? flag("derived", true) : "")
      + text("derivationExpression", word(after: "derived", words)) + "/>"
  }

  private static let one = "one:Int16?"

  /// The attributes of a list with commas.
  ///
  /// Each element is `name:Type?~old^maximum=default`.
  private static func elements(_ list: String) -> String {
    list.split(separator: ",").map { element in
      let parts = element.split(separator: ":", maxSplits: 1).map(String.init)
      let standard = parts[1].split(separator: "=", maxSplits: 1).map(String.init)
      let most = standard[0].split(separator: "^", maxSplits: 1).map(String.init)
      let old = most[0].split(separator: "~", maxSplits: 1).map(String.init)
      return property(
        [parts[0], old[0]] + (old.count > 1 ? ["was", old[1]] : [])
          + (most.count > 1 ? ["max", most[1]] : []) + (standard.count > 1 ? ["=", standard[1]] : []))
    }.joined()
  }

  private static let types = [
    "Int16": "Integer 16", "Int32": "Integer 32", "Int64": "Integer 64", "Bool": "Boolean",
  ]

  private static func flag(_ name: String, _ isSet: Bool) -> String { isSet ? " \(name)=\"YES\"" : "" }

  private static func text(_ name: String, _ value: String?) -> String {
    guard let value else { return "" }
    let escaped = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      "\"", with: "&quot;"
    )
    .replacing("\n", with: "&#10;")
    return " \(name)=\"\(escaped)\""
  }

  private static func word(after mark: String, _ words: [String]) -> String? {
    guard let index = words.firstIndex(of: mark), words.indices.contains(index + 1) else { return nil }
    return words[index + 1]
  }

  /// Splits a line at spaces.
  ///
  /// A word in single quotes may have spaces; two quotes in it stand for one.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first {
      if first == "'" {
        rest = rest.dropFirst()
        var word = ""
        while let next = rest.first {
          rest = rest.dropFirst()
          guard next == "'" else {
            word.append(next)
            continue
          }
          guard rest.first == "'" else { break }
          word.append("'")
          rest = rest.dropFirst()
        }
        words.append(word)
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(String(word))
        rest = rest.dropFirst(word.count)
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }
}
