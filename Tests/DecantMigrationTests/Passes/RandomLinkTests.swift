import DecantPolicies
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Relationship mappings made by chance: either end or both are mapped, objects have one or several source objects.
///
/// `Workshop.migrate` compares sets with the row by row path, and both with `verify`.
@Suite("Relationship mappings made by chance") struct RandomLinkTests {
  /// A policy that leaves everything to its base class.
  final class Leaving: EntityMigrationPolicy {}

  private struct Case: CustomStringConvertible {
    var destination = ""
    var passes: [String] = []
    var rows = ""

    var description: String { "\(destination)\n\(passes.joined(separator: "\n--\n"))\n\(rows)" }
  }

  /// Twenty-four cases, or the number that `DECANT_RANDOM_LINKS` gives.
  private static let seeds: ClosedRange<UInt64> = {
    let number = ProcessInfo.processInfo.environment["DECANT_RANDOM_LINKS"].flatMap(UInt64.init)
    return 1...(number ?? 24)
  }()

  private static let source = """
    Note
     kind String?
     one -> Note.ones
     ones ->> Note.one
     many ->> Note.manies ordered
     manies ->> Note.many
    """

  private static func makeCase(_ seed: UInt64) -> Case {
    var chance = RandomEvolution.Chance(state: seed)
    func isTrue(_ number: Int = 2) -> Bool { Int.random(in: 0..<number, using: &chance) == 0 }
    func relationship(_ name: String, _ entity: String, inverse: String?) -> String {
      let isToMany = isTrue()
      return " \(name) \(isToMany ? "->>" : "->") \(entity)\(inverse.map { ".\($0)" } ?? "")"
        + (isToMany && inverse != nil && isTrue() ? " ordered" : "")
    }
    var made = Case()
    let hasInverse = !isTrue(6)
    made.destination =
      "Note\n text String?\n" + relationship("kinds", "Kind", inverse: hasInverse ? "notes" : nil)
      + "\nKind\n name String?\n" + (hasInverse ? relationship("notes", "Note", inverse: "kinds") + "\n" : "")
      + " other -> Kind.other\n parent -> Kind.children\n children ->> Kind.parent"
      // A family of several entities stores entity numbers beside references.
      + (hasInverse && isTrue(3) ? "\nRemark < Note\nSpecial < Kind" : "")
    let hasRest = isTrue(3)
    func kinds() -> String { hasRest && isTrue() ? "Rest" : "Kinds" }
    func path() -> String {
      ["one", "ones", "many", "manies", "many.one"].randomElement(using: &chance) ?? "one"
    }
    func value(_ mapping: String) -> String { "{ path: \"$source.\(path())\", mapping: \"\(mapping)\" }" }
    var noteLinks: [String] = []
    var kindLinks: [String] = []
    if !hasInverse || !isTrue(3) { noteLinks.append("kinds: \(value(kinds()))") }
    if hasInverse, noteLinks.isEmpty || isTrue() { kindLinks.append("notes: \(value("Notes"))") }
    if isTrue(3) { kindLinks.append("other: \(value(kinds()))") }
    // If one entity mapping sets both ends, the row by row path keeps other pairs: it relates object by object.
    if isTrue() { kindLinks.append("\(isTrue() ? "parent" : "children"): \(value(kinds()))") }
    // POLICY is replaced by the policy, if there is one.
    func options(isUnique: Bool) -> String { "POLICY " + (isUnique ? "uniqueBy: \"$source.kind\"," : "") }
    var mappings = [
      "{ name: \"Notes\", source: \"Note\", destination: \"Note\", \(options(isUnique: isTrue(5))) "
        + "relationships: { " + noteLinks.joined(separator: ", ") + " } },",
      "{ name: \"Kinds\", source: \"Note\", destination: \"Kind\", \(options(isUnique: !isTrue(4))) "
        + "attributes: { name: \"$source.kind\" }, relationships: { " + kindLinks.joined(separator: ", ")
        + " } },",
    ]
    if isTrue() { mappings.swapAt(0, 1) }
    if hasRest {
      mappings.append(
        "{ name: \"Rest\", source: \"Note\", destination: \"Kind\", \(options(isUnique: isTrue(3))) },")
    }
    made.passes = isTrue(3) ? mappings : [mappings.joined(separator: "\n")]
    let count = Int.random(in: 3...9, using: &chance)
    func note() -> Int { Int.random(in: 1...count, using: &chance) }
    for key in 1...count {
      let kind = isTrue(8) ? "NULL" : "'\(["a", "b", "c"].randomElement(using: &chance) ?? "a")'"
      made.rows +=
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZONE) VALUES (\(key), 1, 1, \(kind), "
        + "\(isTrue(4) ? "NULL" : "\(note())"));\n"
    }
    for place in 1...(2 * count) {
      made.rows +=
        "INSERT OR IGNORE INTO JOIN (JOIN_MANIES, JOIN_MANY, ORDER_MANY) VALUES (\(note()), \(note()), \(place * 1024));\n"
    }
    return made
  }

  @Test("give one result on all ways, with chunks of any size", arguments: seeds)
  func agree(seed: UInt64) throws {
    let made = Self.makeCase(seed)
    var results: [[String]] = []
    var ways: [(size: Int?, policy: String)] = [(nil, ""), (1, ""), (2, "")]
    // The relationships of a policy's objects don't wait for later passes.
    if made.passes.count == 1 { ways.append((nil, "policy: \"Leaving\",")) }
    for (size, policy) in ways {
      var shop = try Workshop(Self.source, made.destination)
      if !policy.isEmpty { shop.policies.add(Leaving.self) }
      for (index, mappings) in made.passes.enumerated() {
        try shop.map(
          "Pass\(index + 1)", mappings.replacing("POLICY", with: policy), further: "order: \(index + 1),")
      }
      let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
      let (join, isNaming) = try #require(layout.joinTable("many", of: "Note"))
      let (own, other) = isNaming ? (join.second, join.first) : (join.first, join.second)
      try shop.makeStore(
        made.rows.replacing("JOIN_MANIES", with: other.column).replacing("JOIN_MANY", with: own.column)
          .replacing("ORDER_MANY", with: try #require(own.orderColumn)).replacing(
            "INTO JOIN", with: "INTO \(join.name)"))
      results.append(try shop.migrate(chunkSize: size).lines)
    }
    #expect(
      Set(results).count == 1,
      "\(made)\n\(results.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))")
  }
}
