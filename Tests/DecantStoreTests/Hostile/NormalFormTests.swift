import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

/// Texts and names that are equal in Swift and different in SQLite.
@Suite("Texts in two normal forms")
struct NormalFormTests {
  @Test func valuesAreComparedByBytes() {
    let (one, other) = ("\u{E9}", "e\u{301}")
    #expect(SQLiteValue.text(one) != .text(other))
    #expect(Set([SQLiteValue.text(one), .text(other), .text(one)]).count == 2)
    #expect(PropertyList.string(one) != .string(other))
    #expect(PropertyList.dictionary([one: .null]) != .dictionary([other: .null]))
    #expect(
      PropertyList.dictionary(["a": .array([.string(one)])]) != .dictionary(["a": .array([.string(other)])]))
    #expect(PropertyList.dictionary([one: .string(one)]) == .dictionary([one: .string(one)]))
    #expect(PropertyList.dictionary(["a": .null]) != .dictionary(["a": .null, "b": .null]))
  }

  @Test("a store with two tables whose names differ only in the normal form is refused, and both are named")
  func twinTables() throws {
    let sample = try SampleStore(notes: 3)
    try sample.change("CREATE TABLE ZCAF\u{C9} (Z_PK INTEGER); CREATE TABLE ZCAFE\u{301} (Z_PK INTEGER)")
    #expect(sample.refusal()?.description.contains("ZCAF") == true, "\(String(describing: sample.refusal()))")
  }

  @Test("a table with the name of a known table in another normal form is an unknown table")
  func otherTable() throws {
    let folder = try TemporaryFolder("decant-forms")
    let model = try ManagedObjectModel(entities: [
      Entity(name: "Caf\u{E9}", attributes: [Attribute(name: "name", type: .string, isOptional: true)])
    ])
    let path = folder.path("Store.sqlite")
    let layout = try StoreLayout(model, framework: .current)
    let store = try DestinationStore(at: path, layout: layout)
    try store.finish(
      metadata: StoreMetadata(uuid: SampleStore.uuid, entries: [:]).updated(for: model, framework: .current),
      maxima: [:], usesWriteAheadLog: false)
    func open() throws {
      let source = try SourceStore(path, scratch: folder.path("scratch"))
      _ = try source.layout(version: "V", acceptsCloudKit: false) { _, _ in layout }
    }
    try open()
    let raw = try RawSQLite(path)
    try raw.execute("ALTER TABLE ZCAF\u{C9} RENAME TO ZCAFE\u{301}")
    #expect {
      try open()
    } throws: {
      if case .unknownTables? = $0 as? StoreError { true } else { false }
    }
  }
}
