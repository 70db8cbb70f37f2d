/// An object of an XML store as the file has it (docs/formats/xml-stores.md 3).
struct XMLObject {
  /// One value; a nil one has no element.
  struct Attribute {
    let name: String
    /// The word of the file for the kind of value.
    let type: String?
    /// The content, references resolved.
    let text: [UInt8]
  }

  /// The targets of one relationship.
  struct Relationship {
    let name: String
    /// `1/1` for to-one, `0/0` for to-many.
    let type: String?
    let destination: String?
    /// Ids with spaces between them; empty where there is no target.
    let references: [UInt8]
  }

  /// Such as `z104`.
  let id: String
  /// The number of the id.
  let key: Int64
  /// The entity's name in upper case.
  let type: String
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []

  /// The number of an id: a `z` and a number from 1 up (docs/formats/xml-stores.md 3.1).
  static func key(of id: some StringProtocol) -> Int64? {
    let digits = id.dropFirst()
    guard id.first == "z", (1...18).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.utf8.first != 0x30
    else { return nil }
    return Int64(digits)
  }
}
