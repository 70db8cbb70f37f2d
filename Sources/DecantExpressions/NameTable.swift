/// The places of a few names, found without hashing: names that policies ask for by the row mostly differ in their
/// lengths, and are mostly written as the model writes them.
///
/// The memory is no array's: looking a name up then counts no references. `@unchecked Sendable`: never changed.
package final class NameTable: @unchecked Sendable {
  private struct Name {
    let length: Int
    let text: String
  }

  private let names: UnsafeMutableBufferPointer<Name>
  /// For many names, and for those that are written in another normal form.
  private let places: [String: Int]
  /// Names beyond which looking through them takes longer than a hash.
  private static let few = 24

  /// - Parameter names: Each once.
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

  /// The place of a name among those that were given.
  package func place(of name: String) -> Int? {
    let length = name.utf8.count
    for place in names.indices where names[place].length == length && names[place].text == name {
      return place
    }
    return places[name]
  }
}
