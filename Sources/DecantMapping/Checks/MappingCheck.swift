public import DecantModel

/// Holds a mapping model against the two models that it is for.
///
/// Everything that can be known without a row is looked at: names, types, required properties, relationships, what
/// expressions call and compare, and hashes.
public struct MappingCheck {
  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The models that the mapping was made for, where the file keeps copies of them.
  var formerSource: ManagedObjectModel?
  var formerDestination: ManagedObjectModel?
  var acceptsStaleHashes: Bool
  /// The name by which family.json5 knows the mapping model.
  let fileName: String
  /// Whether somebody wrote the mapping model as text.
  let isText: Bool
  /// The names of the entity mappings that a text calls copies.
  let statedCopies: Set<String>
  /// Entity mappings by name, those of other passes included.
  private(set) var byName: [String: EntityMapping] = [:]
  private(set) var findings: [MappingFinding] = []
  /// Whether all entity mappings are known, so that one without is a slip.
  private(set) var knowsMappings = true
  /// The key of the entity mapping that is being looked at.
  var key: String?
  private var known: Set<MappingFinding> = []

  /// What is wrong with a mapping model, in the order of its entity mappings.
  ///
  /// - Parameters:
  ///   - mapping: The mapping model, compiled.
  ///   - source: The source version.
  ///   - destination: The destination version.
  ///   - reading: What was read, whose copies of the models tell how stale hashes differ.
  ///   - passes: The other mapping models of the same step, whose entity mappings may be named too.
  ///   - arePassesWhole: Whether these are all that there are.
  ///   - needsAllEntities: Whether a text that forgets a source entity has an error.
  ///   - acceptsStaleHashes: Whether stale hashes are warnings, as the mapping model's own setting says it too.
  public static func findings(
    in mapping: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    reading: MappingModelReading? = nil, passes: [MappingModel] = [], arePassesWhole: Bool = true,
    acceptsStaleHashes: Bool = false, needsAllEntities: Bool = false
  ) -> [MappingFinding] {
    var check = Self(
      mapping: mapping, source: source, destination: destination, formerSource: reading?.sourceModel,
      formerDestination: reading?.destinationModel,
      acceptsStaleHashes: acceptsStaleHashes || mapping.acceptsStaleHashes,
      fileName: reading?.file.name ?? mapping.name, text: reading?.text)
    check.knowsMappings = arePassesWhole && reading?.isWhole ?? true
    // All else would follow from that.
    if reading?.text.map({ check.checkDirection(of: $0) }) != true {
      check.run(passes)
      if needsAllEntities { check.checkCoverage(passes) }
    }
    return reading.map { reading in check.findings.filter(reading.holds) } ?? check.findings
  }

  private init(
    mapping: MappingModel, source: ManagedObjectModel, destination: ManagedObjectModel,
    formerSource: ManagedObjectModel?, formerDestination: ManagedObjectModel?, acceptsStaleHashes: Bool,
    fileName: String, text: MappingModelDraft?
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    self.formerSource = formerSource
    self.formerDestination = formerDestination
    self.acceptsStaleHashes = acceptsStaleHashes
    self.fileName = fileName
    isText = text != nil
    statedCopies = Set(text?.entityMappings.filter { $0.type == .copy }.map(\.compiledName) ?? [])
  }

  private mutating func run(_ passes: [MappingModel]) {
    for entity in passes.flatMap(\.entityMappings) { byName[entity.name] = entity }
    var names: Set<String> = []
    for entity in mapping.entityMappings {
      if !names.insert(entity.name).inserted {
        report(
          "there are several entity mappings of this name",
          "Give each a name of its own, by which expressions can tell them apart", in: entity)
      }
      byName[entity.name] = entity
    }
    for entity in mapping.entityMappings {
      checkNames(of: entity)
      checkUnused(of: entity)
      checkExpressions(of: entity)
      checkAttributes(of: entity)
      checkRelationships(of: entity)
    }
    checkHashes()
  }

  mutating func report(
    _ problem: String, _ advice: String, _ severity: MappingFinding.Severity = .error,
    in entity: EntityMapping? = nil, property: String? = nil, subject: MappingFinding.Subject = .content,
    focus: String? = nil
  ) {
    guard findings.count < Self.maximumFindings else { return }
    let finding = MappingFinding(
      severity: severity, subject: subject, path: mapping.path, entityMapping: entity?.name, property: property,
      key: key, focus: focus, problem: problem, advice: advice)
    if known.insert(finding).inserted { findings.append(finding) }
  }

  /// More than anybody reads at once.
  static let maximumFindings = 1_000

  /// “Perhaps “x” is meant”, or what else there is to say about a name that isn't there.
  func hint(_ name: String, _ known: [String], otherwise: String) -> String {
    guard findings.count < Self.maximumFindings else { return otherwise }
    return NearName.of(name, among: known).map { "Perhaps “\($0)” is meant" } ?? otherwise
  }

  /// Whether the mapping can have rows: objects of abstract entities there are none.
  func holdsRows(_ mapping: EntityMapping) -> Bool {
    guard let name = mapping.sourceEntityName, let entity = source.entity(named: name) else { return false }
    return !entity.isAbstract && mapping.destinationEntityName != nil
  }
}
