internal import DecantModel

/// One row of `Z_PRIMARYKEY` (docs/formats/core-data-sqlite.md 3).
package struct PrimaryKeyRow: Sendable, Hashable {
  package let number: Int
  package let name: String
  /// The parent's number, 0 for a root.
  package let superNumber: Int

  package init(number: Int, name: String, superNumber: Int) {
    self.number = number
    self.name = name
    self.superNumber = superNumber
  }

  /// The rows of a layout in number order.
  package static func rows(of layout: StoreLayout) -> [PrimaryKeyRow] {
    layout.entityNumbers.sorted { $0.value < $1.value }.map { name, number in
      let parent = layout.model.entity(named: name)?.superentityName
      return PrimaryKeyRow(
        number: number, name: name, superNumber: parent.flatMap { layout.entityNumbers[$0] } ?? 0)
    }
  }
}
