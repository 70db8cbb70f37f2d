import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat

@testable import DecantMapping

/// Writes an `xcmapping.xml` for tests.
struct EditorText {
  private var objects = ""
  private var number = 0

  /// Adds an object whose references are to-many relationships.
  ///
  /// - Returns: The object's ID.
  mutating func add(
    _ type: String, id: String? = nil, _ attributes: [(String, String)] = [],
    data: [(String, Data)] = [], references: [(String, [String]?)] = []
  ) -> String {
    number += 1
    let id = id ?? "z\(number)"
    objects += "<object type=\"\(type)\" id=\"\(id)\">\n"
    for (name, text) in attributes {
      objects += "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>\n"
    }
    for (name, data) in data {
      let text = data.base64EncodedString(options: .lineLength64Characters)
      objects += "<attribute name=\"\(name)\" type=\"binary\">\(text)\n</attribute>\n"
    }
    for (name, ids) in references {
      let idrefs = ids.map { " idrefs=\"\($0.joined(separator: " "))\"" } ?? ""
      objects += "<relationship name=\"\(name)\" type=\"0/0\" destination=\"X\"\(idrefs)></relationship>\n"
    }
    objects += "</object>\n"
    return id
  }

  mutating func attribute(_ name: String?, _ expression: FormatExpression? = nil) throws -> String {
    add(
      "XDDEVATTRIBUTEMAPPING", name.map { [("name", $0)] } ?? [],
      data: try expression.map { [("valueexpressiondata", try $0.archived().binaryData())] } ?? [])
  }

  mutating func relationship(_ name: String, _ attributes: [(String, String)] = []) -> String {
    add("XDDEVRELATIONSHIPMAPPING", [("name", name)] + attributes)
  }

  mutating func mapping(
    _ attributes: [(String, String)], data: [(String, Data)] = [], rows: [String]? = nil,
    relationships: [String]? = nil
  ) -> String {
    add(
      "XDDEVENTITYMAPPING", attributes, data: data,
      references: [("attributemappings", rows), ("relationshipmappings", relationships)])
  }

  /// The whole text, after an object for the mapping model is added.
  mutating func document(_ mappings: [String], data: [(String, Data)] = []) -> String {
    _ = add(
      "XDDEVMAPPINGMODEL",
      [
        ("sourcemodelpath", "App/M.xcdatamodeld/M.xcdatamodel"),
        ("destinationmodelpath", "App/M.xcdatamodeld/M 2.xcdatamodel"),
      ], data: data, references: [("entitymappings", mappings)])
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version></databaseInfo>
      \(objects)</database>
      """
  }

  /// Writes the whole text to a file and reads it.
  mutating func read(_ mappings: [String], data: [(String, Data)] = []) throws -> MappingModelReading {
    let text = document(mappings, data: data)
    return try withTemporaryFolder { folder in
      let bundle = folder.appendingPathComponent("Some.xcmappingmodel")
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: bundle.appendingPathComponent("xcmapping.xml"))
      return try MappingModelReading.read(at: bundle)
    }
  }

  /// A model as the editor embeds it: entities with optional attributes of type String.
  static func model(_ entities: [String: [String]]) -> Data {
    var writer = ArchiveWriter()
    func facts(_ facts: [(String, PropertyList)]) -> PropertyList {
      let holders = facts.map { key, value in (key, writer.add("XDUMLPropertyImp", ["_default": value])) }
      let owned = writer.dictionary(holders)
      let stereotype = writer.add("XDUMLStereotypeImp", ["XDBucketForOwnedAttributesstorage": owned])
      return writer.dictionary([("Stereotype", stereotype)])
    }
    var members: [(String, PropertyList)] = []
    for (name, attributes) in entities.sorted(by: { $0.key < $1.key }) {
      let owned = attributes.map { attribute in
        let stereotypes = facts([
          ("XD_PAttK_attributeType", .integer(700)), ("XD_PPSK_isOptional", .boolean(true)),
        ])
        return (
          attribute,
          writer.add(
            "XDPMAttribute", ["_name": .string(attribute), "XDBucketForStereotypesstorage": stereotypes])
        )
      }
      let bucket = writer.dictionary(owned)
      let stereotypes = facts([])
      members.append(
        (
          name,
          writer.add(
            "XDPMEntity",
            [
              "_name": .string(name), "XDBucketForOwnedAttributesstorage": bucket,
              "XDBucketForStereotypesstorage": stereotypes,
            ])
        ))
    }
    let classes = writer.dictionary(members)
    let package = writer.add("XDModelPackage", ["XDBucketForClassesstorage": classes])
    let root = writer.add("XDPMModel", ["_xd_rootPackage": package])
    return writer.data(root: root)
  }
}
