/// The names in a folder that may have another normal form.
///
/// Names in different normal forms look alike to a person.
package struct LookAlikes: Sendable {
  /// The hash of a name's text, and the name's index; names that look alike have the same hash.
  private struct Mark: Sendable {
    let text: Int
    let index: UInt32
  }

  private let names: NameList
  private let marks: [Mark]

  package init(_ names: some Sequence<FileName>) {
    self.names = NameList(names.lazy.filter { $0.mayHaveOtherForms })
    var marks: [Mark] = []
    for (index, name) in self.names.enumerated() where name.isText {
      marks.append(Mark(text: Self.number(of: name), index: UInt32(index)))
    }
    self.marks = marks.sorted { ($0.text, $0.index) < ($1.text, $1.index) }
  }

  /// Swift's hash is the same for all normal forms of a text.
  private static func number(of name: FileName) -> Int { name.text.hashValue }

  /// The names that are the same text in another normal form, in order.
  package func otherForms(of name: FileName) -> [FileName] {
    guard name.mayHaveOtherForms else { return [] }
    let number = Self.number(of: name)
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].text < number { low = middle + 1 } else { high = middle }
    }
    return marks[low...].prefix { $0.text == number }.map { names[Int($0.index)] }
      .filter { $0.isOtherForm(of: name) }
  }

  /// The names with the same text as a name, in any normal form.
  ///
  /// Without stems, `name` itself comes first, even if the folder doesn't have it.
  ///
  /// - Parameter orWithStem: Whether to include the names whose stem has that text.
  package func names(alike name: FileName, orWithStem: Bool) -> [FileName] {
    guard orWithStem else { return [name] + otherForms(of: name) }
    return names.filter { $0.isText && ($0.text == name.text || StoreNames.stem($0).text == name.text) }
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
        OtherForm(
          store: store, found: $0, expected: expected, isTaken: names.index(of: expected) != nil)
      }
    }
  }

  /// Whether a name belongs to another store in the folder.
  private func isOwned(_ name: FileName, besides store: FileName) -> Bool {
    // A store's name has the same letters as the names of its files, so `names` has the store's name, too.
    names.contains { other in
      other != store && StoreNames.isStore(other)
        && ([StoreNames.support(other)] + StoreNames.siblings(other) + StoreNames.requests(other)).contains(
          name)
    }
  }
}
