public import DecantModel

/// Checks a mapping model against its two models.
///
/// It checks what can be known without rows, such as names, types, required properties, relationships, expressions,
/// parts without effect, and version hashes.
public struct MappingCheck {
  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The models that the mapping was made for, if the file has copies of them.
  var formerSource: ManagedObjectModel?
  var formerDestination: ManagedObjectModel?
  var acceptsStaleHashes: Bool
  /// The name of the mapping model in family.json5.
  let fileName: String
  let isText: Bool
  /// The names of the entity mappings whose type a text states as “copy”.
  let statedCopies: Set<String>
  /// Entity mappings by name, those of other passes included.
  private(set) var byName: [String: EntityMapping] = [:]
  private(set) var findings: [MappingFinding] = []
  /// Whether all entity mappings are known, so that an unknown name is a mistake.
  private(set) var knowsMappings = true
  /// The key that is being checked, such as `filter`, in the text of an entity mapping.
  var key: String?
  private var known: Set<MappingFinding> = []

  /// The problems of a mapping model; at most 1,000 are found.
  ///
  /// Repeated names of entity mappings come first. The other problems follow in the order of the entity mappings. Stale
  /// version hashes and entities that are left out come last. If a text exchanges `source` and `destination`, only this
  /// is reported.
  ///
  /// - Parameters:
  ///   - mapping: The mapping model, compiled.
  ///   - source: The source version.
  ///   - destination: The destination version.
  ///   - reading: The file's content. Its copies of the models show what has changed since a stale hash was written.
  ///   - passes: The other mapping models of the same step, whose entity mappings may be named.
  ///   - arePassesWhole: Whether `passes` has all of the other mapping models.
  ///   - needsAllEntities: Whether a source entity that no mapping model takes or removes is an error of a text.
  ///   - acceptsStaleHashes: Whether stale hashes are only warnings; the mapping model's own setting has the same
  ///     effect.
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
    // If `source` and `destination` are exchanged, all other findings would only follow from this mistake.
    if reading?.text.map({ check.checkDirection(of: $0) }) != true {
      check.run(passes)
      if needsAllEntities { check.checkCoverage(passes) }
    }
    guard let reading else { return check.findings }
    return reading.namingUndecided(check.findings.filter(reading.holds))
  }

  init(
    mapping: MappingModel, source: ManagedObjectModel, destination: ManagedObjectModel,
    formerSource: ManagedObjectModel? = nil, formerDestination: ManagedObjectModel? = nil,
    acceptsStaleHashes: Bool = false, fileName: String = "", text: MappingModelDraft? = nil
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

  static let maximumFindings = 1_000

  func hint(_ name: String, _ known: [String], otherwise: String) -> String {
    guard findings.count < Self.maximumFindings else { return otherwise }
    return NearName.of(name, among: known).map { "Perhaps “\($0)” is meant" } ?? otherwise
  }

  /// Whether an entity mapping can make objects: it has a destination, and its source entity exists and isn't abstract.
  func holdsRows(_ mapping: EntityMapping) -> Bool {
    guard let name = mapping.sourceEntityName, let entity = source.entity(named: name) else { return false }
    return !entity.isAbstract && mapping.destinationEntityName != nil
  }
}
