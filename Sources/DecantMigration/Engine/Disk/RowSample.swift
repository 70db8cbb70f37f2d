internal import DecantMapping
internal import DecantSQLite
internal import DecantStore
internal import Dispatch
internal import PredicateFormat

/// What a few rows tell of the objects that an entity mapping will make.
struct RowSample {
  /// The bytes of attributes that are calculated, and of all where not every row is taken, by name; without those that
  /// aren't SQL, can't be computed in time or may be those of files.
  var lengths: [String: Double] = [:]
  /// The bytes of what objects are unique by.
  var uniqueLength: Double?
  /// How many objects come of a row that has a value to be unique by: up to 1.
  var distinct: Double?
}

/// Looks at rows from all over the tables of a source.
struct RowSampling {
  let source: PassSource
  let plan: PassPlan
  /// The work that all of it may be, in seconds of a processor: what expressions take isn't known.
  private var seconds = 2.0

  /// At how many places rows are looked at to tell how long values are, and of a filter that takes few at most.
  static let places = 256
  private static let mostPlaces = 4096
  /// At how many places rows are looked at to tell how many values there are.
  private static let placesOfValues = 1024
  /// What these rows may hold, in bytes.
  private static let mostBytes = 32.0 * 1_048_576
  /// From fewer rows than these nothing is told of lengths, and of values, unless they are all.
  private static let fewest = 8
  private static let fewestOfValues = 200

  init(_ source: PassSource, _ plan: PassPlan) {
    self.source = source
    self.plan = plan
  }

  /// What rows tell of an entity mapping's objects.
  ///
  /// - Parameters:
  ///   - spread: Where the table's rows lie.
  ///   - bytesOfRow: About what one holds; of large rows fewer are looked at.
  ///   - taken: The share of the rows that its filter takes.
  /// - Throws: `SQLiteError`, only where somebody asked to stop.
  mutating func sample(
    of mapping: PassPlan.Mapping, _ spread: KeySpread, bytesOfRow: Double, taken share: Double
  ) throws(SQLiteError) -> RowSample {
    var sample = RowSample()
    let work = CreateWork(plan, mapping)
    guard var taken = try? work.taken() else { return sample }
    let unique = mapping.mapping.uniqueBy == nil ? nil : try? work.uniqueValue()
    if let unique { taken += " AND (\(unique)) IS NOT NULL" }
    let most = max(1, Int(Self.mostBytes / max(1, bytesOfRow)))
    let places = min(most, Self.mostPlaces, Int(Double(Self.places) / max(0.01, share)))
    let rows =
      "\(taken) AND s.Z_PK IN \(spread.scattered(of: mapping.sourceTable.name, in: "source", places: places))"
    for row in mapping.mapping.attributeMappings {
      guard mapping.mapping.filter != nil || unique != nil || row.value.isCalculated,
        !readsFiles(row.value.expression),
        let name = plan.destination.attributeColumn(row.destinationName, of: mapping.destination),
        let column = mapping.destinationTable.columns.first(where: { $0.name == name }),
        let value = try? work.value(of: column)
      else { continue }
      sample.lengths[row.destinationName] = try length(of: value, rows, spread)
    }
    guard let unique, !readsFiles(mapping.mapping.uniqueBy) else { return sample }
    sample.uniqueLength = try length(of: unique, rows, spread)
    sample.distinct = try distinct(
      unique, taken,
      spread.scattered(of: mapping.sourceTable.name, in: "source", places: min(most, Self.placesOfValues)),
      spread)
    return sample
  }

  /// The average length of a value; `nil` where it can't be computed, and where too few rows were found.
  private mutating func length(of value: String, _ rows: String, _ spread: KeySpread) throws(SQLiteError)
    -> Double?
  {
    // As it is, the value would be computed for each word of its length.
    let found = try answer(
      "WITH sample AS MATERIALIZED (SELECT \(value) AS v \(rows)) SELECT avg(\(EntityWeight.length(of: "v"))), count(*) "
        + "FROM sample")
    guard let found, let count = found[1].integer, count >= min(Self.fewest, spread.rows),
      case .real(let average) = found[0]
    else { return nil }
    return average
  }

  /// About how many values there are for each row that has one and is taken.
  ///
  /// A value that several of these rows have is one; one that a single row has stands for as many more as there are more
  /// rows: for rows drawn by chance that is no less than there are, on average, however often each comes.
  private mutating func distinct(
    _ value: String, _ taken: String, _ keys: String, _ spread: KeySpread
  ) throws(SQLiteError) -> Double? {
    // Long values as such would be kept in memory until they are grouped.
    let parts = "typeof(v) AS a, length(v) AS b, substr(v, 1, 2048) AS c, substr(v, -2048) AS d"
    let sums = try answer(
      "WITH sample AS MATERIALIZED (SELECT \(value) AS v \(taken) AND s.Z_PK IN \(keys)) "
        + "SELECT sum(n), count(*), sum(n = 1), (SELECT count(*) FROM \(keys)) FROM "
        + "(SELECT count(*) AS n FROM (SELECT \(parts) FROM sample) GROUP BY a, b, c, d)")
    guard let sums, let all = sums[0].integer, let values = sums[1].integer, let alone = sums[2].integer,
      all >= min(Self.fewestOfValues, spread.rows), all > 0
    else { return nil }
    let share = min(1, Double(sums[3].integer ?? 0) / Double(max(1, spread.rows)))
    return min(1, (Double(values - alone) * share + Double(alone)) / Double(all))
  }

  /// The row of a statement; `nil` where it fails or takes too long.
  private mutating func answer(_ statement: String) throws(SQLiteError) -> [SQLiteValue]? {
    guard seconds > 0 else { return nil }
    let start = DispatchTime.now()
    defer { seconds -= Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9 }
    do {
      return try source.database.within(seconds: min(seconds, 1), patience: 10) { () throws(SQLiteError) in
        try source.database.rows(statement)
      }.first
    } catch {
      if error.interruption == .request { throw error }
      return nil
    }
  }

  /// Whether an expression has a word for an attribute, of any entity, whose values may be files of their own.
  private func readsFiles(_ expression: FormatExpression?) -> Bool {
    guard let expression else { return false }
    let words = MadeObjects.words(of: "\(expression)")
    return plan.source.model.entities.contains { entity in
      entity.attributes.contains { $0.allowsExternalBinaryDataStorage && words.contains($0.name) }
    }
  }
}

extension AttributeMapping.Value {
  /// The expression, of an attribute as it is too.
  var expression: FormatExpression? {
    switch self {
    case .expression(let expression): expression
    case .source(let name), .sourceOrDefault(let name): .source(name)
    case .defaultValue, .derived, .unset: nil
    }
  }

  /// Whether it is more than what a row holds.
  var isCalculated: Bool {
    if case .expression(let expression) = self { expression.sourceKey == nil } else { false }
  }
}
