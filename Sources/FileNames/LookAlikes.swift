/// The names in a folder, as they look to a person: names in different normal forms look alike.
package struct LookAlikes: Sendable {
  private let names: Set<FileName>
  /// Keyed by text on purpose: Swift takes texts in different normal forms for one.
  private let byText: [String: [FileName]]

  package init(_ names: [FileName]) {
    self.names = Set(names)
    byText = Dictionary(grouping: names.filter { $0.isText && $0.mayHaveOtherForms }, by: \.text)
  }

  /// The names that are the same text in another form, in order.
  package func otherForms(of name: FileName) -> [FileName] {
    guard name.mayHaveOtherForms else { return [] }
    return (byText[name.text] ?? []).filter { $0.isOtherForm(of: name) }.sorted()
  }

  /// The names that a store's files have in another form, those aside that belong to another store by their bytes.
  ///
  /// - Parameter withRequests: Whether requests count as well, as beside a loose store.
  package func otherForms(ofFilesOf store: FileName, withRequests: Bool = false) -> [OtherForm] {
    guard store.mayHaveOtherForms else { return [] }
    let expected =
      [StoreNames.support(store)] + StoreNames.siblings(store)
      + (withRequests ? StoreNames.requests(store) : [])
    return expected.flatMap { expected in
      otherForms(of: expected).filter { !isOwned($0, besides: store) }.map {
        OtherForm(store: store, found: $0, expected: expected, isTaken: names.contains(expected))
      }
    }
  }

  /// Whether a name is that of a file of another store in the folder.
  private func isOwned(_ name: FileName, besides store: FileName) -> Bool {
    names.contains { other in
      other != store && StoreNames.isStore(other)
        && ([StoreNames.support(other)] + StoreNames.siblings(other) + StoreNames.requests(other)).contains(
          name)
    }
  }
}
