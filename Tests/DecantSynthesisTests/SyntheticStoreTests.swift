import DecantModel
import DecantStore
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@Suite("A synthetic store")
struct SyntheticStoreTests {
  private let folder: TemporaryFolder
  private let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try EveryKindModel.make()
  }

  private func open(_ path: String) throws -> (SourceStore, StoreLayout) {
    let store = try SourceStore(path, scratch: folder.path("scratch"))
    return (store, try store.layout(for: model, version: "1"))
  }

  /// Every row of every table, with the values as SQLite's quote() gives them.
  private func content(_ path: String) throws -> [String] {
    let (store, _) = try open(path)
    return try store.schema.tables.keys.sorted().flatMap { table in
      let columns = (store.schema.tables[table] ?? []).map { "quote(\($0))" }.joined(separator: ", ")
      return try store.rows("SELECT \(columns) FROM \(table)").map { "\(table) \($0)" }.sorted()
    }
  }

  @Test(
    "with every kind of property keeps all rules of its model", arguments: [12, 300, 3_000], [1, 7] as [UInt64])
  func rules(rows: Int, seed: UInt64) throws {
    let summary = try SyntheticStore.write(model: model, rows: rows, seed: seed, to: folder.path("a.sqlite"))
    let (store, layout) = try open(folder.path("a.sqlite"))
    #expect(try StoreRules(store: store, layout: layout).violations() == [])
    #expect(summary.shortcomings == [])
    #expect(summary.entities.values.reduce(0, +) == rows)
    #expect(summary.entities.count == 9)
    #expect(summary.entities.values.allSatisfy { $0 > 0 })
    for (entity, count) in summary.entities {
      let table = try #require(layout.table(of: entity)?.name)
      let number = try #require(layout.entityNumbers[entity])
      #expect(try store.database.integer("SELECT count(*) FROM \(table) WHERE Z_ENT = \(number)") == count)
    }
    for (table, count) in summary.joinRows {
      #expect(try store.database.integer("SELECT count(*) FROM \(table)") == count)
    }
    #expect(summary.joinRows.count == 2)
    #expect(store.metadata.versionHashes == model.entityVersionHashes)
    #expect(store.usesWriteAheadLog)
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.sqlite-wal")))
    #expect(
      try store.database.integer(
        "SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note' AND Z_MAX < (SELECT max(Z_PK) FROM ZNOTE)")
        == 0)
  }

  @Test("is the same for the same seed and count, and different for others")
  func repeats() throws {
    for (name, rows, seed) in [("a", 500, 3), ("b", 500, 3), ("c", 500, 4), ("d", 501, 3)] {
      _ = try SyntheticStore.write(
        model: model, rows: rows, seed: UInt64(seed), to: folder.path("\(name).sqlite"))
    }
    let first = try content(folder.path("a.sqlite"))
    #expect(try first == content(folder.path("b.sqlite")))
    #expect(try first != content(folder.path("c.sqlite")))
    #expect(try first != content(folder.path("d.sqlite")))
    let folders = ["a", "b"].map { folder.path(".\($0)_SUPPORT/_EXTERNAL_DATA") }
    let files = try folders.map { try FileManager.default.contentsOfDirectory(atPath: $0).sorted() }
    #expect(!files[0].isEmpty)
    #expect(files[0] == files[1])
  }

  @Test("has the whole range of each type in its columns")
  func values() throws {
    _ = try SyntheticStore.write(model: model, rows: 9_000, to: folder.path("a.sqlite"))
    let (store, _) = try open(folder.path("a.sqlite"))
    func count(_ condition: String) throws -> Int {
      try store.database.integer("SELECT count(*) FROM ZVALUES WHERE \(condition)")
    }
    for condition in [
      "ZFLAG = 0", "ZFLAG = 1", "ZMAYBE IS NULL", "ZSMALL = -32768", "ZSMALL = 32767", "ZMIDDLE = -2147483648",
      "ZLARGE = -9223372036854775808", "ZLARGE = 9223372036854775807", "ZMOMENT < 0", "ZMOMENT > 0",
      "ZMOMENT <> round(ZMOMENT)", "typeof(ZREAL) = 'real'", "ZPRICE = 10.11", "ZTEXT = ''",
      "ZTEXT = 'por defecto'", "instr(ZTEXT, char(0x301)) > 0", "instr(ZTEXT, 'ñ') > 0",
      "instr(ZTEXT, '''') > 0",
      "instr(ZTEXT, '日') > 0 OR instr(ZTEXT, '漢') > 0", "instr(ZTEXT, 'ש') > 0", "instr(ZTEXT, '🎉') > 0",
      "length(ZTEXT) > 200", "ZBYTES IS NULL", "length(ZBYTES) = 0", "length(ZBYTES) > 1000",
      "substr(ZOUTSIDE, 1, 1) = x'01'", "ZLINK LIKE 'https://%'",
      "substr(ZTHING, 1, 8) = CAST('bplist00' AS BLOB)",
      "Z_OPT = 1", "Z_OPT = 3",
    ] {
      #expect(try count(condition) > 0, "\(condition)")
    }
    for condition in [
      "ZSMALL NOT BETWEEN -32768 AND 32767", "ZMIDDLE NOT BETWEEN -2147483648 AND 2147483647",
      "typeof(ZIDENTIFIER) <> 'blob' OR length(ZIDENTIFIER) <> 16", "typeof(ZTEXT) <> 'text'",
      "substr(ZOUTSIDE, 1, 1) NOT IN (x'01', x'02')", "ZSAVED IS NULL", "Z_OPT NOT BETWEEN 1 AND 3",
    ] {
      #expect(try count(condition) == 0, "\(condition)")
    }
  }

  @Test("keeps large external values in files beside it")
  func externalFiles() throws {
    let summary = try SyntheticStore.write(model: model, rows: 900, to: folder.path("a.sqlite"))
    let (store, _) = try open(folder.path("a.sqlite"))
    let names = try store.rows(
      "SELECT CAST(substr(ZOUTSIDE, 2, 36) AS TEXT) FROM ZVALUES WHERE length(ZOUTSIDE) = 38 "
        + "AND substr(ZOUTSIDE, 1, 1) = x'02' AND substr(ZOUTSIDE, 38) = x'00' ORDER BY 1"
    ).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(".a_SUPPORT/_EXTERNAL_DATA"))
    #expect(names == files.sorted())
    #expect(names.count == summary.externalFiles)
    #expect(!names.isEmpty)
  }

  @Test("keeps limits, regular expressions and constraints")
  func limits() throws {
    _ = try SyntheticStore.write(model: model, rows: 9_000, to: folder.path("a.sqlite"))
    let (store, _) = try open(folder.path("a.sqlite"))
    let query =
      "SELECT count(*) FROM ZLIMITED WHERE ZPERCENT NOT BETWEEN 0 AND 100 OR ZRATIO NOT BETWEEN -2.5 AND 2.5 "
      + "OR ZSINCE NOT BETWEEN 284000400 AND 602395200"
    #expect(try store.database.integer(query) == 0)
    let pattern = try Regex("[A-Z]{2,3}-[0-9]{1,4}(H|E)?")
    var plates: Set<String> = []
    for row in try store.rows("SELECT ZSHORT, ZPLATE, ZCODE FROM ZLIMITED") {
      guard case .text(let short) = row[0], case .text(let plate) = row[1], case .text(let code) = row[2] else {
        Issue.record("\(row)")
        return
      }
      #expect((3...11).contains(short.utf16.count))
      #expect(plate.wholeMatch(of: pattern) != nil, "\(plate)")
      #expect(code.utf16.count == 4)
      plates.insert(plate)
    }
    #expect(plates.count > 100)
    #expect(try store.database.integer("SELECT count(DISTINCT ZCODE) = count(*) FROM ZLIMITED") == 1)
    #expect(
      try store.database.integer(
        "SELECT count(*) FROM (SELECT 1 FROM ZLIMITED GROUP BY ZHALF, ZBIT HAVING count(*) > 1)") == 0)
  }

  @Test("has the right derived counts")
  func derived() throws {
    _ = try SyntheticStore.write(model: model, rows: 900, to: folder.path("a.sqlite"))
    let (store, _) = try open(folder.path("a.sqlite"))
    #expect(
      try store.database.integer(
        "SELECT count(*) FROM ZFOLDER AS f WHERE ZCOUNT IS NOT (SELECT count(*) FROM ZNOTE WHERE ZFOLDER = f.Z_PK)"
      )
        == 0)
    #expect(try store.database.integer("SELECT max(ZCOUNT) FROM ZFOLDER") > 1)
  }

  @Test("has uneven relationships, and an order that differs from that of the keys")
  func relationships() throws {
    _ = try SyntheticStore.write(model: model, rows: 3_000, to: folder.path("a.sqlite"))
    let (store, _) = try open(folder.path("a.sqlite"))
    func count(_ query: String) throws -> Int { try store.database.integer("SELECT count(*) FROM \(query)") }
    #expect(try count("ZNOTE WHERE ZFOLDER IS NULL") > 0)
    #expect(try count("(SELECT 1 FROM ZNOTE GROUP BY ZFOLDER HAVING count(*) > 10)") > 0)
    #expect(try count("ZFOLDER AS f WHERE NOT EXISTS (SELECT 1 FROM ZNOTE WHERE ZFOLDER = f.Z_PK)") > 0)
    #expect(try count("ZNOTE WHERE ZNEXT IS NULL") > 0)
    #expect(try count("ZFOLDER WHERE ZPARENT = Z_PK") == 0)
    for (table, owner, order, key) in [
      ("ZNOTE", "ZFOLDER", "Z_FOK_FOLDER", "Z_PK"), ("ZFOLDER", "ZPARENT", "Z_FOK_PARENT", "Z_PK"),
    ] {
      let pairs = "\(table) AS a JOIN \(table) AS b ON a.\(owner) = b.\(owner) AND a.\(order) < b.\(order)"
      #expect(try count("\(pairs) WHERE a.\(key) > b.\(key)") > 0)
      #expect(try count("\(pairs) WHERE a.\(key) < b.\(key)") > 0)
    }
    // If a table has several entities, their rows are mixed and some keys are free.
    #expect(try count("ZNOTE AS a JOIN ZNOTE AS b ON b.Z_PK = a.Z_PK + 1 AND a.Z_ENT <> b.Z_ENT") > 100)
    #expect(try store.database.integer("SELECT max(Z_PK) - count(*) FROM ZNOTE") > 0)
  }

  @Test("can be made without rows")
  func empty() throws {
    let summary = try SyntheticStore.write(model: model, rows: 0, to: folder.path("a.sqlite"))
    let (store, layout) = try open(folder.path("a.sqlite"))
    #expect(try StoreRules(store: store, layout: layout).violations() == [])
    #expect(summary.entities.values.allSatisfy { $0 == 0 })
  }

  @Test("may have fewer rows than entities")
  func few() throws {
    for rows in 1...8 {
      let summary = try SyntheticStore.write(
        model: model, rows: rows, to: folder.path("a.sqlite"), overwrites: true)
      #expect(summary.entities.values.reduce(0, +) == rows)
      let (store, _) = try open(folder.path("a.sqlite"))
      #expect(try store.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
  }

  @Test("doesn't overwrite existing files, unless that is requested")
  func overwriting() throws {
    let path = folder.path("a.sqlite")
    _ = try SyntheticStore.write(model: model, rows: 100, to: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: GeneratingError.exists(path: path)) {
      try SyntheticStore.write(model: model, rows: 10, to: path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    _ = try SyntheticStore.write(model: model, rows: 101, to: path, overwrites: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != before)
    try FileManager.default.removeItem(atPath: path)
    // The external data of a deleted store are in the way of a new store.
    #expect(throws: GeneratingError.exists(path: folder.path(".a_SUPPORT"))) {
      try SyntheticStore.write(model: model, rows: 10, to: path)
    }
  }

  @Test("leaves no file if it can't be written, and the error says why")
  func failures() throws {
    let path = folder.path("a.sqlite")
    #expect(throws: GeneratingError.badRowCount(-1, limit: SyntheticStore.rowLimit)) {
      try SyntheticStore.write(model: model, rows: -1, to: path)
    }
    let flags = Entity(
      name: "Flag", attributes: [Attribute(name: "on", type: .boolean)], uniquenessConstraints: [["on"]])
    let narrow = try ManagedObjectModel(entities: [flags])
    #expect(throws: GeneratingError.cannotBeUnique(entity: "Flag", constraint: ["on"], rows: 3, capacity: 2)) {
      try SyntheticStore.write(model: narrow, rows: 3, to: path)
    }
    _ = try SyntheticStore.write(model: narrow, rows: 2, to: folder.path("two.sqlite"))
    let abstract = try ManagedObjectModel(entities: [Entity(name: "Nothing", isAbstract: true)])
    #expect(throws: GeneratingError.noConcreteEntity) {
      try SyntheticStore.write(model: abstract, rows: 1, to: path)
    }
    let open = try ManagedObjectModel(entities: [
      Entity(name: "Open", attributes: [Attribute(name: "any", type: .undefined)])
    ])
    #expect(throws: LayoutError.self) { try SyntheticStore.write(model: open, rows: 1, to: path) }
    #expect(throws: StoreError.self) {
      try SyntheticStore.write(model: model, rows: 1, to: folder.path("missing/a.sqlite"))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("lists the rules of the model that it can't keep")
  func shortcomings() throws {
    let pair = Entity(
      name: "A",
      attributes: [
        Attribute(name: "odd", type: .string, limits: .init(regularExpression: "(?=x)\\1"))
      ],
      relationships: [
        Relationship(
          name: "all", destinationEntityName: "A", inverseName: "owner", minimumCount: 3, maximumCount: 0),
        Relationship(name: "owner", destinationEntityName: "A", inverseName: "all"),
      ])
    let summary = try SyntheticStore.write(
      model: ManagedObjectModel(entities: [pair]), rows: 5, to: folder.path("a.sqlite"))
    #expect(summary.shortcomings.count == 2)
    #expect(summary.shortcomings.contains { $0.hasPrefix("A.odd: ") && $0.contains("(?=x)") })
    #expect(summary.shortcomings.contains { $0.hasPrefix("A.owner: ") && $0.contains("3") })
  }

  @Test("reports its progress")
  func progress() throws {
    var seen: [SyntheticStore.Progress] = []
    _ = try SyntheticStore.write(model: model, rows: 50, to: folder.path("a.sqlite")) { seen.append($0) }
    #expect(seen.map(\.rowsDone) == seen.map(\.rowsDone).sorted())
    #expect(seen.last?.rowsDone == 50)
    #expect(seen.allSatisfy { $0.rowsTotal == 50 })
  }
}
