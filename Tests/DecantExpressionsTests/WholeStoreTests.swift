import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantExpressions
@testable import DecantSQLite
@testable import DecantStore
@testable import DecantSynthesis

/// Reads every key of every row of a store on disk by SQL and by the evaluator.
///
/// The store has all kinds of attributes and relationships.
@Suite struct WholeStoreTests {
  @Test func everyKeyOfEveryRowBothWays() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let model = try EveryKindModel.make()
    _ = try SyntheticStore.write(model: model, rows: 300, seed: 5, to: path)
    let store = try SourceStore(path, scratch: folder.path("scratch"))
    let layout = try store.layout(for: model, version: "EveryKind")
    let work = try SQLiteDatabase(folder.path("work.sqlite"), mode: .create)
    let external = ExternalFiles(besideStore: path).folder
    for database in [work, store.database] { try ExternalDataFunction.register(in: database, folder: external) }
    try ExpressionFunctions.register(in: work, now: 0)
    try work.attachImmutable(path, as: "source")
    let rows = RowSource(database: store.database, layout: layout)
    var compared = 0
    for entity in model.entities {
      guard let table = layout.table(of: entity.name), let number = layout.entityNumbers[entity.name] else {
        continue
      }
      for text in Self.texts(of: entity.name, model) {
        let expression = try FormatExpression(parsing: text)
        let value = try SourceSQL(layout: layout, entity: entity.name).typed(expression)
        let code = SQLText.string(LeafCode.code(of: value.kind, in: layout))
        let found = try work.rows(
          "SELECT s.Z_PK, \(ExpressionFunctions.tagged)(\(code), \(value.text)) FROM source.\(table.name) AS s "
            + "WHERE s.Z_ENT = \(number)")
        for row in found {
          let object = rows.object(entity: entity.name, key: try #require(row[0].integer))
          let context = EvaluationContext(object: .object(ObjectReference(object)))
          let expected = try expression.value(in: context)
          #expect(try TaggedValue.value(row[1]) == expected, "\(object.label).\(text)")
          compared += 1
        }
      }
    }
    #expect(compared > 2_000)
    withExtendedLifetime(folder) {}
  }

  private static func texts(of entity: String, _ model: ManagedObjectModel) -> [String] {
    model.attributes(of: entity).filter { $0.type != .transformable }.map(\.name)
      + model.relationships(of: entity).flatMap { relationship -> [String] in
        let attributes = model.attributes(of: relationship.destinationEntityName)
        let name = attributes.first { $0.type == .string && !$0.isTransient }?.name
        guard relationship.isToMany else {
          return [name.map { "\(relationship.name).\($0)" }].compactMap { $0 }
        }
        return ["\(relationship.name).@count"]
          + (name.map { ["\(relationship.name).@max.\($0)", "\(relationship.name).\($0).@count"] } ?? [])
          + (relationship.isOrdered && name != nil ? ["\(relationship.name)[LAST].\(name ?? "")"] : [])
      }
  }
}
