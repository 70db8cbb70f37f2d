/// The distance between a misspelt word and a known one.
package enum EditDistance {
  /// The least number of letters to add, drop or change; words above 64 letters count as far away.
  package static func between(_ first: String, _ second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    guard first.count <= 64, second.count <= 64 else { return 64 }
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row.last ?? 0
  }
}
