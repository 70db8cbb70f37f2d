internal import DecantMapping
internal import DecantPasses
internal import DecantPolicies
internal import DecantSQLite

/// The entity mappings of a step by their numbers, in three forms: as policies see them, planned, and compiled.
final class RowMappings {
  private let plan: PassPlan
  private let evaluates: Bool
  private let passes: [MigrationMappingModel]
  private let shown: [Int: MigrationEntityMapping]
  private let planned: [Int: PassPlan.Mapping]
  private var compiled: [Int: RowMapping] = [:]
  private var compiledLast: RowMapping?
  private var readers: [Int: RowReader] = [:]
  /// A second connection to the source, for reading ahead.
  private let ahead: SQLiteDatabase
  /// The current entity mapping, and the root entity of its source entity.
  private var atWork: (mapping: MigrationEntityMapping, root: String?)?

  /// - Parameters:
  ///   - models: The mapping models, one for each pass.
  ///   - own: The mapping models of a program that runs the migration itself (`DirectCall`), one for each pass; else
  ///     empty.
  ///   - evaluates: The same as in `RowMapping`.
  init(
    _ plan: PassPlan, models: [MappingModel], own: [MigrationMappingModel], evaluates: Bool,
    ahead: SQLiteDatabase
  ) {
    self.plan = plan
    self.evaluates = evaluates
    self.ahead = ahead
    var first = 1
    var passes: [MigrationMappingModel] = []
    for (index, model) in models.enumerated() {
      if own.indices.contains(index) {
        own[index].number(from: first)
        passes.append(own[index])
      } else {
        passes.append(MigrationMappingModel(model, first: first))
      }
      first += model.entityMappings.count
    }
    self.passes = passes
    shown = Dictionary(
      passes.flatMap(\.entityMappings).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    planned = Dictionary(plan.mappings.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(number: Int) -> MigrationEntityMapping? { shown[number] }

  func planned(_ number: Int) -> PassPlan.Mapping? { planned[number] }

  func compiled(_ number: Int) throws -> RowMapping {
    if let compiledLast, compiledLast.number == number { return compiledLast }
    if let known = compiled[number] {
      compiledLast = known
      return known
    }
    guard let mapping = planned[number] else { throw PolicyProblem.unknownMapping("\(number)") }
    let made = RowMapping(plan, mapping, evaluates: evaluates)
    compiled[number] = made
    return made
  }

  /// Sets the current entity mapping.
  ///
  /// - Returns: The mapping model of its pass.
  func begin(_ mapping: MigrationEntityMapping, pass: Int) -> MigrationMappingModel? {
    atWork = (mapping, planned[mapping.number]?.sourceTable.rootEntity)
    return passes.indices.contains(pass) ? passes[pass] : nil
  }

  /// Whether an entity mapping belongs to the step.
  func contains(_ mapping: MigrationEntityMapping) -> Bool {
    mapping === atWork?.mapping || contains(named: mapping.name)
  }

  func contains(named name: String) -> Bool { shown.values.contains { $0.name == name } }

  func sourceRoot(of mapping: MigrationEntityMapping) -> String? {
    if let atWork, mapping === atWork.mapping { return atWork.root }
    return planned[mapping.number]?.sourceTable.rootEntity
  }

  func reader(_ compiled: RowMapping, from source: SourceRows, limit: Int) throws(SQLiteError) -> RowReader {
    let mapping = compiled.mapping
    if let known = readers[mapping.number] { return known }
    let made = RowReader(
      try source.reader.batches(
        of: mapping.source, table: mapping.sourceTable.name, where: "s.Z_ENT = \(mapping.sourceNumber)",
        flag: compiled.condition, limit: limit, in: ahead))
    readers[mapping.number] = made
    return made
  }

  /// Ends the readers: they share a connection, which must be idle when their statements end.
  func close() {
    for reader in readers.values { reader.end(ahead) }
    readers = [:]
  }
}
