/// The index of each name, found without hashing if there are few names.
///
/// Policies ask for names in each row. Most names differ in their lengths, and most are spelt as in the model. So a
/// comparison of the names, by length first, is fast.
///
/// The names aren't in an array, because each look-up in an array would count references. `@unchecked Sendable`: the
/// table never changes.
package final class NameTable: @unchecked Sendable {
  private struct Name {
    let length: Int
    let text: String
  }

  private let names: UnsafeMutableBufferPointer<Name>
  /// The indexes by name; used if there are many names, for names in another normal form, and for unknown names.
  private let places: [String: Int]
  /// For more names than this, a hash is faster than a search.
  private static let few = 24

  /// - Parameter names: Unique names.
  package init(_ names: [String]) {
    let few = names.count <= Self.few ? names : []
    self.names = .allocate(capacity: few.count)
    _ = self.names.initialize(from: few.map { Name(length: $0.utf8.count, text: $0) })
    places = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  deinit {
    names.deinitialize()
    names.deallocate()
  }

  package func place(of name: String) -> Int? {
    let length = name.utf8.count
    for place in names.indices where names[place].length == length && names[place].text == name {
      return place
    }
    return places[name]
  }
}
