internal import DecantMapping
internal import DecantStore
internal import PredicateFormat

/// What a few rows tell of the objects that an entity mapping will make.
struct RowSample {
  /// The bytes of each calculated attribute by its name, without those that aren't SQL, can't be computed or may be
  /// those of files.
  var lengths: [String: Double] = [:]
  /// The bytes of what objects are unique by.
  var uniqueLength: Double?
  /// How many objects come of a row that has a value to be unique by.
  var distinct: Double?
}

extension PassSource {
  /// At how many places rows are looked at to tell how long calculated values are.
  private static let placesOfLengths = 256
  /// At how many places rows are looked at to tell how many values there are.
  private static let placesOfValues = 1024
  /// What these rows may hold, in bytes.
  private static let mostBytes = 32 << 20
  /// From fewer rows than these nothing is told of values, unless they are all.
  private static let fewest = 200

  /// About how many values of `uniqueBy` there are for each row that has one and is taken: up to 1, as rows from all over
  /// the table tell.
  ///
  /// A value that several of these rows have is one; one that a single row has stands for as many more as there are more
  /// rows: for rows drawn by chance that is no less than there are, on average, however often each comes.
  ///
  /// - Parameters:
  ///   - spread: Where the table's rows lie.
  ///   - bytes: About what they all hold; of large rows fewer are looked at.
  /// - Returns: `nil` where the value isn't SQL or can't be computed, where it may be that of a file, and where too few
  ///   rows were found to tell.
  private func distinct(of mapping: PassPlan.Mapping, in plan: PassPlan, _ spread: KeySpread, bytes: Int)
    -> Double?
  {
    let work = CreateWork(plan, mapping)
    guard let unique = mapping.mapping.uniqueBy, !Self.readsFiles(unique, plan),
      let value = try? work.uniqueValue(), let taken = try? work.taken()
    else { return nil }
    let keys = Self.keys(of: mapping, spread, bytes: bytes, places: Self.placesOfValues)
    // Long values as such would be kept in memory until they are grouped.
    let parts =
      "typeof(\(value)) AS a, length(\(value)) AS b, substr(\(value), 1, 2048) AS c, substr(\(value), -2048) AS d"
    let rows = try? database.rows(
      "SELECT sum(n), count(*), sum(n = 1), (SELECT count(*) FROM \(keys)) FROM (SELECT count(*) AS n FROM (SELECT \(parts) \(taken) "
        + "AND s.Z_PK IN \(keys) AND (\(value)) IS NOT NULL) GROUP BY a, b, c, d)")
    guard let sums = rows?.first, let all = sums[0].integer, let values = sums[1].integer,
      let alone = sums[2].integer, all >= min(Self.fewest, spread.rows)
    else { return nil }
    let share = min(1, Double(sums[3].integer ?? 0) / Double(max(1, spread.rows)))
    return min(1, (Double(values - alone) * share + Double(alone)) / Double(all))
  }

  /// What rows from all over the table tell of an entity mapping's objects.
  ///
  /// - Parameters:
  ///   - spread: Where the table's rows lie.
  ///   - bytes: About what they all hold; of large rows fewer are looked at.
  func sample(of mapping: PassPlan.Mapping, in plan: PassPlan, _ spread: KeySpread, bytes: Int) -> RowSample {
    var sample = RowSample()
    let work = CreateWork(plan, mapping)
    guard let taken = try? work.taken() else { return sample }
    let keys = Self.keys(of: mapping, spread, bytes: bytes, places: Self.placesOfLengths)
    func length(of value: String, _ expression: FormatExpression) -> Double? {
      guard !Self.readsFiles(expression, plan),
        let found = try? database.rows(
          "SELECT avg(\(EntityWeight.length(of: "v"))) FROM (SELECT \(value) AS v \(taken) AND s.Z_PK IN \(keys))"
        ),
        case .real(let average)? = found.first?[0]
      else { return nil }
      return average
    }
    for row in mapping.mapping.attributeMappings {
      guard case .expression(let expression) = row.value, expression.sourceKey == nil,
        let name = plan.destination.attributeColumn(row.destinationName, of: mapping.destination),
        let column = mapping.destinationTable.columns.first(where: { $0.name == name }),
        let value = try? work.value(of: column)
      else { continue }
      sample.lengths[row.destinationName] = length(of: value, expression)
    }
    guard let unique = mapping.mapping.uniqueBy, let value = try? work.uniqueValue() else { return sample }
    sample.uniqueLength = length(of: value, unique)
    sample.distinct = distinct(of: mapping, in: plan, spread, bytes: bytes)
    return sample
  }

  private static func keys(of mapping: PassPlan.Mapping, _ spread: KeySpread, bytes: Int, places: Int) -> String
  {
    let places = max(1, min(places, mostBytes / max(1, bytes / max(1, spread.rows))))
    return spread.scattered(of: mapping.sourceTable.name, in: "source", places: places)
  }

  /// Whether an expression names an attribute, of any entity, whose values may be files of their own.
  private static func readsFiles(_ expression: FormatExpression, _ plan: PassPlan) -> Bool {
    let text = "\(expression)"
    return plan.source.model.entities.contains { entity in
      entity.attributes.contains { $0.allowsExternalBinaryDataStorage && text.contains($0.name) }
    }
  }
}
