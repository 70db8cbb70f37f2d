internal import DecantMapping
internal import DecantSQLite
internal import DecantStore
internal import Dispatch
internal import PredicateFormat

/// A sample of the objects that an entity mapping will make.
struct RowSample {
  /// The bytes of calculated attributes by name, and of all attributes if not every row is taken.
  ///
  /// Without attributes that aren't SQL, that take too long, or that may be in files.
  var lengths: [String: Double] = [:]
  /// The bytes of the value of `uniqueBy`.
  var uniqueLength: Double?
  /// The number of objects per row with a value of `uniqueBy`, at most 1.
  var distinct: Double?
}

/// Samples rows from all parts of a source's tables.
struct RowSampling {
  let source: PassSource
  let plan: PassPlan
  /// The processor time that is left for all samples, in seconds; the cost of expressions isn't known.
  private var seconds = 2.0

  /// The number of places at which rows are sampled for the length of values.
  ///
  /// It is the maximum for a filter that takes few rows.
  static let places = 256
  private static let mostPlaces = 4096
  /// The number of places at which rows are sampled for the number of distinct values.
  private static let placesOfValues = 1024
  /// The largest total size of the sampled rows, in bytes.
  private static let mostBytes = 32.0 * 1_048_576
  /// The smallest sample from which lengths and values are estimated, unless it has all rows.
  private static let fewest = 8
  private static let fewestOfValues = 200

  init(_ source: PassSource, _ plan: PassPlan) {
    self.source = source
    self.plan = plan
  }

  /// Samples the objects of an entity mapping.
  ///
  /// - Parameters:
  ///   - spread: The distribution of the table's rows.
  ///   - bytesOfRow: The approximate size of a row. Of large rows fewer are sampled.
  ///   - taken: The share of the rows that its filter takes.
  /// - Throws: `SQLiteError`, only if the work is to stop.
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

  /// The average length of a value; `nil` if it can't be computed, or if too few rows were found.
  private mutating func length(of value: String, _ rows: String, _ spread: KeySpread) throws(SQLiteError)
    -> Double?
  {
    // Without this, the value would be computed again for each use of its length.
    let found = try answer(
      "WITH sample AS MATERIALIZED (SELECT \(value) AS v \(rows)) SELECT avg(\(EntityWeight.length(of: "v"))), count(*) "
        + "FROM sample")
    guard let found, let count = found[1].integer, count >= min(Self.fewest, spread.rows),
      case .real(let average) = found[0]
    else { return nil }
    return average
  }

  /// Estimates the number of distinct values per taken row with a value.
  ///
  /// A value in several sampled rows counts once. A value in a single sampled row counts as often as there are rows per
  /// sampled row. For a random sample this is on average not below the true number, for every distribution of values.
  private mutating func distinct(
    _ value: String, _ taken: String, _ keys: String, _ spread: KeySpread
  ) throws(SQLiteError) -> Double? {
    // Whole long values would be kept in memory until they are grouped.
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

  /// The row of a statement; `nil` if it fails or takes too long.
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

  /// Whether an expression contains the name of an attribute, of any entity, whose values may be in files.
  private func readsFiles(_ expression: FormatExpression?) -> Bool {
    guard let expression else { return false }
    let words = MadeObjects.words(of: "\(expression)")
    return plan.source.model.entities.contains { entity in
      entity.attributes.contains { $0.allowsExternalBinaryDataStorage && words.contains($0.name) }
    }
  }
}

extension AttributeMapping.Value {
  /// The value's expression; a copied attribute has one too.
  var expression: FormatExpression? {
    switch self {
    case .expression(let expression): expression
    case .source(let name), .sourceOrDefault(let name): .source(name)
    case .defaultValue, .derived, .unset: nil
    }
  }

  /// Whether the value isn't simply copied from the row.
  var isCalculated: Bool {
    if case .expression(let expression) = self { expression.sourceKey == nil } else { false }
  }
}
