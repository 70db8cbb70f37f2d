/// A tree of pages: a table or an index.
struct PageTree {
  let root: Int
  let isTable: Bool
  /// The number of columns of a table.
  var columns = 0
  /// The types of values that SQLite expects in each column of a table; empty if the types aren't checked.
  var types: [ValueTypes] = []
  /// The place of the column `Z_ENT` in an entity table whose key `Z_PK` is the rowid; `nil` for other trees.
  var entityColumn: Int?
}
