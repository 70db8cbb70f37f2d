/// An object of an XML store in the file's form (docs/formats/xml-stores.md 3).
struct XMLObject {
  /// The value of one attribute; a nil value has no element in the file.
  struct Attribute {
    let name: String
    /// The file's word for the kind of value.
    let type: String?
    /// The content, with references resolved.
    let text: [UInt8]
  }

  /// The targets of one relationship.
  package struct Relationship {
    let name: String
    /// `1/1` for to-one, `0/0` for to-many.
    let type: String?
    let destination: String?
    /// Ids separated by spaces; empty if there is no target.
    let references: String
  }

  /// The id, such as `z104`.
  let id: String
  /// The number of the id.
  let key: Int64
  /// The entity's name in upper case.
  let type: String
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []

  /// The number of an id: a `z` and a number of at least 1 (docs/formats/xml-stores.md 3.1).
  static func key(of id: some StringProtocol) -> Int64? {
    let digits = id.utf8.dropFirst()
    guard id.utf8.first == UInt8(ascii: "z"), (1...18).contains(digits.count), digits.first != UInt8(ascii: "0")
    else { return nil }
    var key: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      // A number of eighteen digits fits 64 bits.
      key = key * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return key
  }
}
