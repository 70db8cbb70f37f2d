internal import DecantPasses
internal import DecantSQLite

#if DECANT_INVARIANTS
  internal import DecantStore

  /// The invariants of the association tables.
  ///
  /// Only builds with the flag `DECANT_INVARIANTS`, such as debug builds, check them after the tables are filled,
  /// because the check reads these tables once more.
  package struct AssociationInvariants {
    private let plan: PassPlan
    /// Whether only statements make objects.
    ///
    /// Otherwise the objects aren't checked: a policy may delete objects, or associate an object several times.
    private let isBySets: Bool
    private let database: SQLiteDatabase

    init(_ plan: PassPlan, isBySets: Bool, in database: SQLiteDatabase) {
      self.plan = plan
      self.isBySets = isBySets
      self.database = database
    }

    func findings() throws(SQLiteError) -> [String] {
      var findings: [String] = []
      for (what, statement) in forms + (isBySets ? objects : []) {
        let count = try database.integer("SELECT count(*) FROM (\(statement))")
        if count > 0 { findings.append("\(what) (\(count))") }
      }
      return findings
    }

    private var forms: [(String, String)] {
      let (runs, shared) = (Associations.runs, Associations.shared)
      return [
        ("runs without a length or a key", "SELECT 1 FROM main.\(runs) WHERE length < 1 OR destination < 1"),
        (
          "runs over the same source keys",
          "SELECT 1 FROM (SELECT length, first, lead(first) OVER (PARTITION BY mapping ORDER BY first) AS following "
            + "FROM main.\(runs)) WHERE following - first < length"
        ),
        (
          "blocks that count their objects wrongly",
          "SELECT 1 FROM main.\(shared) WHERE objects < 1 OR objects <> (SELECT count(*) FROM json_each(destinations) "
            + "WHERE value IS NOT NULL)"
        ),
        (
          "blocks over the same source keys",
          "SELECT 1 FROM (SELECT json_array_length(destinations) AS length, first, lead(first) OVER "
            + "(PARTITION BY mapping ORDER BY first) AS following FROM main.\(shared)) WHERE following - first < length"
        ),
      ]
    }

    private var objects: [(String, String)] {
      let (runs, shared, values) = (Associations.runs, Associations.shared, Associations.values)
      var found: [(String, String)] = []
      for mapping in plan.mappings {
        let name = "of “\(mapping.mapping.name)”"
        let number = mapping.number
        let object =
          "SELECT 1 FROM main.\(quoted(mapping.destinationTable.name)) AS t WHERE t.Z_ENT = \(mapping.destinationNumber)"
        if mapping.mapping.uniqueBy == nil {
          found.append(
            (
              "runs \(name) with fewer objects than their length",
              "SELECT 1 FROM main.\(runs) AS r WHERE mapping = \(number) AND length <> (SELECT count(*) FROM (\(object) "
                + "AND t.Z_PK BETWEEN r.destination AND r.destination + (r.length - 1)))"
            ))
        } else {
          let made = "(SELECT destination FROM main.\(values) WHERE mapping = \(number))"
          found += [
            (
              "values \(name) without an object",
              "SELECT 1 FROM main.\(values) AS v WHERE mapping = \(number) AND NOT EXISTS (\(object) "
                + "AND t.Z_PK = v.destination)"
            ),
            (
              "shared objects \(name) without a value",
              "SELECT 1 FROM main.\(shared) AS b, json_each(b.destinations) AS j WHERE b.mapping = \(number) "
                + "AND j.value IS NOT NULL AND j.value NOT IN \(made) UNION ALL "
                + "SELECT 1 FROM main.\(runs) WHERE mapping = \(number) AND (length <> 1 OR destination NOT IN \(made))"
            ),
          ]
        }
      }
      for table in plan.destination.tables {
        guard let root = plan.destination.rootNumber(of: table.rootEntity) else { continue }
        let own = plan.mappings.filter { $0.destinationTable.name == table.name && $0.mapping.uniqueBy == nil }
        let numbers = own.map { "\($0.number)" }.joined(separator: ", ")
        found += [
          (
            "objects of \(table.name) in several runs",
            "SELECT 1 FROM (SELECT length, destination, lead(destination) OVER (ORDER BY destination) AS following "
              + "FROM main.\(runs) WHERE mapping IN (\(numbers))) WHERE following - destination < length"
          ),
          (
            "keys of \(table.name) that will be given out again",
            "SELECT 1 FROM main.\(Associations.keys) WHERE root = \(root) AND typeof(next) = 'integer' "
              + "AND next <= (SELECT max(Z_PK) FROM main.\(quoted(table.name)))"
          ),
        ]
      }
      return found
    }
  }
#endif
