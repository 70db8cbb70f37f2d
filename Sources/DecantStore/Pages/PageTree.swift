/// A tree of pages: a table or an index.
struct PageTree {
  let root: Int
  let isTable: Bool
  /// The number of columns of a table.
  var columns = 0
  /// The types that the columns of a table may have; empty if any value may be in any column.
  var types: [ValueTypes] = []
  /// The place of the column `Z_ENT` in an entity table whose key `Z_PK` is the rowid; `nil` for other trees.
  var entityColumn: Int?
}
