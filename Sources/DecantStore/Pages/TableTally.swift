/// The counts of the rows of a table.
struct TableTally: Equatable {
  private(set) var rows = 0
  private(set) var least = Int64.max
  private(set) var greatest = Int64.min
  /// Whether a row has values after the table's last column.
  var hasLongerRows = false
  /// The number of rows by entity number; rows whose `Z_ENT` isn't an integer aren't counted.
  private(set) var numbers: [Int64: Int] = [:]
  /// Whether `numbers` is complete.
  var areNumbersKnown = true

  /// The largest number of different entity numbers that are counted.
  private static let mostNumbers = 4096

  mutating func add(rows count: Int, from least: Int64, to greatest: Int64) {
    rows += count
    self.least = min(self.least, least)
    self.greatest = max(self.greatest, greatest)
  }

  mutating func add(number: Int64, rows count: Int) {
    guard areNumbersKnown else { return }
    numbers[number, default: 0] += count
    if numbers.count > Self.mostNumbers { areNumbersKnown = false }
  }
}
