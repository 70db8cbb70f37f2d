/// The names in a folder, grouped by text: names in different normal forms look alike to a person.
package struct LookAlikes: Sendable {
  private let names: Set<FileName>
  /// The text is the key on purpose, because Swift's `==` ignores normal forms.
  private let byText: [String: [FileName]]

  package init(_ names: [FileName]) {
    self.names = Set(names)
    byText = Dictionary(grouping: names.filter { $0.isText && $0.mayHaveOtherForms }, by: \.text)
  }

  /// The names that are the same text in another normal form, in order.
  package func otherForms(of name: FileName) -> [FileName] {
    guard name.mayHaveOtherForms else { return [] }
    return (byText[name.text] ?? []).filter { $0.isOtherForm(of: name) }.sorted()
  }

  /// The look-alike names of a store's files.
  ///
  /// Files that belong to another store by their bytes are left out.
  ///
  /// - Parameter withRequests: Whether to include requests, as beside a loose store.
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

  /// Whether a name belongs to another store in the folder.
  private func isOwned(_ name: FileName, besides store: FileName) -> Bool {
    names.contains { other in
      other != store && StoreNames.isStore(other)
        && ([StoreNames.support(other)] + StoreNames.siblings(other) + StoreNames.requests(other)).contains(
          name)
    }
  }
}
