import DecantModel
import Foundation

/// Makes the texts of small model files, and reads them.
enum ModelText {
  static let type = "com.apple.IDECoreDataModeler.DataModel"

  static func model(_ body: String, _ attributes: String = "type=\"\(type)\" documentVersion=\"1.0\"") -> Data {
    Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model \(attributes)>\(body)</model>\n".utf8)
  }

  static func read(_ body: String) throws -> ModelReading {
    try ModelContentsReader.read(model(body))
  }

  /// The entity “Nota” with this content, from a model that also has “Otra” with a relationship to it.
  static func entity(_ inside: String, _ attributes: String = "") throws -> Entity {
    let reading = try read("<entity name=\"Nota\" \(attributes)>\(inside)</entity>" + other)
    return reading.model.entity(named: "Nota") ?? Entity(name: "none")
  }

  static func attribute(_ attributes: String, inside: String = "") throws -> Attribute {
    try entity("<attribute name=\"a\" \(attributes)>\(inside)</attribute>").attributes.first
      ?? Attribute(name: "none", type: .undefined)
  }

  static func relationship(_ attributes: String, inside: String = "") throws -> Relationship {
    try entity("<relationship name=\"r\" destinationEntity=\"Otra\" \(attributes)>\(inside)</relationship>")
      .relationships.first ?? Relationship(name: "none", destinationEntityName: "")
  }

  static let other =
    "<entity name=\"Otra\"><relationship name=\"vuelta\" destinationEntity=\"Nota\" maxCount=\"1\"/></entity>"
}
