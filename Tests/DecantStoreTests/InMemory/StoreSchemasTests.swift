import DecantTestSupport
import Foundation
import Testing

@testable import DecantStore

@Suite("Facts from the schemas of earlier stores")
struct StoreSchemasTests {
  private func open(_ path: String, _ schemas: StoreSchemas? = nil) throws -> SourceStore {
    let folder = try TemporaryFolder("decant-schemas")
    return try SourceStore(path, scratch: folder.url.path, schemas: schemas)
  }

  private func expectAlike(_ one: SourceStore, _ other: SourceStore) throws {
    #expect(one.schema == other.schema)
    #expect(one.statements == other.statements)
    #expect(one.leadingColumns == other.leadingColumns)
    let (columns, otherColumns) = (columns(of: one), columns(of: other))
    #expect(columns == otherColumns)
  }

  /// The columns of the store's tables; `nil` if they aren't those of the model.
  private func columns(of store: SourceStore) -> [String: [String]]? {
    guard let model = try? SampleStore.model(), let layout = try? store.layout(for: model, version: "Notes")
    else {
      return nil
    }
    return Dictionary(uniqueKeysWithValues: layout.tables.map { ($0.name, $0.columns.map(\.name)) })
  }

  @Test("facts apply only to stores with the same schema, with any rows")
  func remembered() throws {
    let schemas = StoreSchemas()
    let first = try SampleStore(notes: 3)
    let second = try SampleStore(notes: 40, uuid: UUID().uuidString)
    let known = try open(first.path, schemas)
    let again = try open(second.path, schemas)
    #expect(known.told === again.told)
    try expectAlike(again, try open(second.path))
    #expect(again.metadata.uuid != known.metadata.uuid)

    for change in [
      "CREATE INDEX N ON ZNOTE (ZTEXT)", "ALTER TABLE ZNOTE ADD COLUMN ZOLD VARCHAR", "DROP TABLE ZTAG",
    ] {
      let other = try SampleStore(notes: 3)
      try other.change(change)
      let changed = try open(other.path, schemas)
      #expect(changed.told !== known.told)
      try expectAlike(changed, try open(other.path))
    }
  }

  @Test("tables without row numbers are found each time, as in a new store")
  func keyless() throws {
    let schemas = StoreSchemas()
    let sample = try SampleStore(notes: 3)
    try sample.change(
      "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLABEL VARCHAR) WITHOUT ROWID"
    )
    for _ in 0..<3 {
      let store = try open(sample.path, schemas)
      let error = #expect(throws: StoreError.self) {
        try store.layout(for: try SampleStore.model(), version: "Notes")
      }
      guard case .withoutRowID(_, let tables)? = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(tables == ["ZTAG"])
    }
  }

  @Test("facts of later stores replace earlier ones, and very long schemas aren't kept")
  func bounds() throws {
    let schemas = StoreSchemas()
    let first = try SampleStore(notes: 1)
    let known = try open(first.path, schemas)
    for number in 0..<8 {
      let other = try SampleStore(notes: 1)
      try other.change("CREATE INDEX N\(number) ON ZNOTE (ZTEXT)")
      _ = try open(other.path, schemas)
    }
    #expect(try open(first.path, schemas).told !== known.told)
    let long = try SampleStore(notes: 1)
    try long.change(
      "CREATE INDEX N ON ZNOTE (ZTEXT) WHERE ZTEXT <> '\(String(repeating: "x", count: 200_000))'")
    let one = try open(long.path, schemas)
    #expect(try open(long.path, schemas).told !== one.told)
  }
}
