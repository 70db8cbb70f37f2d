/// A start tag.
struct XMLTag {
  let name: String
  /// In file order, references resolved; not yet known to be UTF-8.
  var attributes: [(name: String, value: [UInt8])] = []

  init(name: String) {
    self.name = name
  }

  /// The value of the attribute of that name.
  subscript(name: String) -> [UInt8]? { attributes.first { $0.name == name }?.value }
}
