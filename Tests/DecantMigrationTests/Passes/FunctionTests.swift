import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Mapping models: Decant's own functions") struct FunctionTests {
  @Test func aFullNameIsTakenApartAndPutTogetherAgain() throws {
    let shop = try Workshop(
      "Contact\n fullName String?\n nombreCompleto String?\n identifier Int64?",
      "Contact\n firstName String?\n lastName String?\n apellidos String?\n nombre String?\n whole String?\n identifier String?"
    )
    try shop.map(
      """
      { source: "Contact", destination: "Contact", filter: "trim(fullName) != ''", attributes: {
          firstName: "firstWord($source.fullName)", lastName: "lastWord($source.fullName)",
          apellidos: "split($source.nombreCompleto, ', ', 0)", nombre: "split($source.nombreCompleto, ', ', 1)",
          whole: "join(', ', split($source.nombreCompleto, ', ', 0), split($source.nombreCompleto, ', ', 1))",
          identifier: "padStart(CAST($source.identifier, 'NSString'), 4, '0')" } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZCONTACT (Z_PK, Z_ENT, Z_OPT, ZFULLNAME, ZNOMBRECOMPLETO, ZIDENTIFIER) VALUES
        (1, 1, 1, 'Ana María Ruiz', 'Ruiz Sol, Ana María', 7), (2, 1, 1, 'Cher', 'Cher', 12345), (3, 1, 1, ' ', NULL, 1),
        (4, 1, 1, 'Bo Li', NULL, NULL);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Contact#1 apellidos='Ruiz Sol' firstName='Ana' identifier='0007' lastName='Ruiz' nombre='Ana María' "
          + "whole='Ruiz Sol, Ana María'",
        "Contact#2 apellidos='Cher' firstName='Cher' identifier='12345' whole='Cher'",
        "Contact#4 firstName='Bo' lastName='Li'",
      ])
    #expect(result.accounts == ["ContactToContact 4 = 3 + 1"])
  }

  @Test func theNormalFormsOfAnAccentBecomeOneValueWhereThatIsSaid() throws {
    let shop = try Workshop("Note\n kind String?", "Kind\n name String?")
    try shop.map(
      """
      { source: "Note", destination: "Kind", uniqueBy: "normalise($source.kind)",
        attributes: { name: "normalise($source.kind)" } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'cafe' || char(769)), (2, 1, 1, 'caf' || char(233)),
        (3, 1, 1, 'CAF' || char(233));
      """)
    #expect(
      try shop.lines() == ["Kind#1 name='caf\u{e9}'", "Kind#2 name='CAF\u{e9}'"])
  }

  @Test func identifiersAndTheTimeAreThoseOfTheRunThatBegan() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n id UUID?\n other UUID?\n made Date?")
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { id: \"uuid()\", other: \"uuid('b')\", made: \"now()\" } },"
    )
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, 1, 1, 't' || i FROM n;
      """)
    func run(
      _ name: String, at seconds: Double, byRows: Bool = false, stop: @escaping @Sendable () -> Bool = { false }
    ) throws
      -> [[String]]
    {
      var job = shop.job(chunkSize: 3)
      job.output = shop.folder.url.appendingPathComponent("\(name)/Store.sqlite")
      job.workFolder = shop.folder.url.appendingPathComponent("\(name)/work")
      job.claimedAt = Date(timeIntervalSinceReferenceDate: seconds)
      job.goesByRows = byRows
      _ = try Migration.run(job, shouldStop: stop)
      return try shop.read(job.output, "V2").store.rows(
        "SELECT Z_PK, hex(ZID), hex(ZOTHER), ZMADE FROM ZNOTE ORDER BY 1"
      )
      .map {
        $0.map { "\($0)" }
      }
    }
    let whole = try run("whole", at: 700_000_000)
    #expect(Set(whole.flatMap { $0[1...2] }).count == 80)
    #expect(try run("rows", at: 700_000_000, byRows: true) == whole)
    let calls = Countdown(14)
    #expect(throws: MigrationFailure.self) { try run("parts", at: 700_000_000) { calls.isOver() } }
    #expect(
      FileManager.default.fileExists(
        atPath: shop.folder.url.appendingPathComponent("parts/work/step-1.sqlite.partial").path))
    #expect(try run("parts", at: 800_000_000) == whole)
    let later = try run("later", at: 800_000_000)
    #expect(Set(later.flatMap { $0[1...2] }).isDisjoint(with: whole.flatMap { $0[1...2] }))
  }

  /// Returns true after a number of calls.
  private final class Countdown: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) { left = count }

    func isOver() -> Bool {
      lock.withLock {
        left -= 1
        return left < 0
      }
    }
  }
}
