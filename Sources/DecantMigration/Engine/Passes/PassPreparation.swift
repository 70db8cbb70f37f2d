internal import DecantMapping
internal import DecantModel
internal import Foundation
internal import PredicateFormat

/// Reads, fills in and checks the mapping models of one step: everything about them that can fail without a row.
struct PassPreparation {
  let family: Family
  let source: FamilyVersion
  let destination: FamilyVersion
  /// The classes that policies are made of.
  let policies: PolicyRegistry
  /// Sentences for plan and report.
  private(set) var warnings: [String] = []

  init(family: Family, source: FamilyVersion, destination: FamilyVersion, policies: PolicyRegistry) {
    self.family = family
    self.source = source
    self.destination = destination
    self.policies = policies
  }

  /// The mapping models in the order of their passes.
  ///
  /// - Throws: A failure of the catalogue for a file that can't be used, and where a policy is missing.
  mutating func models(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
    let models = try compiled(files)
    for model in models { try checkPolicies(model) }
    return models
  }

  /// The same for a plan: whose policies aren't here is told, because a worker can have them.
  mutating func planned(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
    let models = try compiled(files)
    for model in models {
      do throws(MigrationFailure) {
        try checkPolicies(model)
      } catch {
        warnings.append("\(error.message) \(error.advice)")
      }
    }
    return models
  }

  /// The same, whether or not their policies are there.
  mutating func compiled(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
    if files.count > 1, let file = files.first(where: { $0.order == nil }) {
      throw failure(
        reason: "pass-order",
        "\(files.count) mapping models are for “\(source.name)” to “\(destination.name)”, and nothing says when "
          + "“\(file.file.name)” runs.",
        "Write their order into family.json5: order: [\(files.map { "\"\($0.file.name)\"" }.joined(separator: ", "))]."
      )
    }
    var readings: [(reading: MappingModelReading, model: MappingModel)] = []
    for file in files {
      do throws(MappingModelError) {
        let reading = try MappingModelReading.read(at: URL(fileURLWithPath: file.file.path))
        readings.append((reading, try reading.compiled(from: source.model, to: destination.model)))
      } catch {
        throw failure(
          reason: "bad-mapping-model", "\(error).", "Mend that file; the family's stores wait until then.")
      }
    }
    let models = readings.map(\.model)
    for (index, item) in readings.enumerated() {
      var others = models
      others.remove(at: index)
      let findings = MappingCheck.findings(
        in: item.model, from: source.model, to: destination.model, reading: item.reading, passes: others,
        acceptsStaleHashes: family.configuration.acceptStaleHashes.accepts(item.reading.file.name))
      let stale = findings.filter { $0.subject == .hash }
      let errors = findings.filter { $0.severity == .error && $0.subject != .hash }
      guard let first = errors.first else {
        try checkHashes(stale, of: item.reading.file)
        continue
      }
      throw failure(
        reason: "bad-mapping-model",
        "\(first)" + (errors.count > 1 ? " It has \(errors.count - 1) further errors." : ""),
        "Mend that file; the family's stores wait until then.")
    }
    return models
  }

  /// Mapping models that a program has at hand; their hashes are of no concern.
  ///
  /// - Throws: A refusal for one that can't be used; a failure of the catalogue where a policy is missing.
  func checked(_ models: [MappingModel]) throws(MigrationFailure) -> [MappingModel] {
    for (index, model) in models.enumerated() {
      var others = models
      others.remove(at: index)
      let findings = MappingCheck.findings(
        in: model, from: source.model, to: destination.model, passes: others, acceptsStaleHashes: true)
      if let error = findings.first(where: { $0.severity == .error }) {
        throw DirectStep.failure("bad-mapping-model", 134_110, "\(error)")
      }
      try checkPolicies(model)
    }
    return models
  }

  /// Stale hashes refuse the store with all differences, or are warnings where they are accepted.
  private mutating func checkHashes(
    _ findings: [MappingFinding], of file: MappingModelFile
  ) throws(MigrationFailure) {
    guard findings.contains(where: { $0.severity == .error }) else {
      warnings += findings.map(\.description)
      return
    }
    throw MigrationFailure(
      disposition: .catalogue, reason: "stale-mapping-model", coreDataCode: 134_110,
      message: "\(file.path) was made for other states of “\(source.name)” and “\(destination.name)”.",
      details: findings.map { "entity mapping “\($0.entityMapping ?? "")”: \($0.problem)" },
      advice:
        "Save the mapping model anew for these versions; or, if the differences don't matter, say "
        + "acceptStaleHashes: [\"\(file.name)\"] in family.json5.", family: family.name)
  }

  private func checkPolicies(_ model: MappingModel) throws(MigrationFailure) {
    for mapping in model.entityMappings {
      try checkMessages(mapping, of: model)
      let place = "Entity mapping “\(mapping.name)” of \(model.path ?? model.name)"
      switch mapping.policy {
      case nil: continue
      case .className(let name)?:
        guard policies.policy(named: name) == nil else { continue }
        let missing = MissingClass(name: name, names: policies.policyNames, kind: "policy")
        throw failure(
          reason: "needs-policy", "\(place) leaves its objects to the class \(missing.words).", missing.advice)
      case .program(let words)?:
        do throws(PolicyProgramError) {
          try PolicyProgram(words: words, folder: family.folder.path).check()
        } catch {
          throw failure(reason: "needs-policy", "\(place): \(error)", "")
        }
      }
    }
  }

  /// Expressions may call the policy and class methods; somebody has to answer.
  private func checkMessages(_ mapping: EntityMapping, of model: MappingModel) throws(MigrationFailure) {
    var missing: (selector: String, name: String)?
    func look(_ expression: FormatExpression) {
      guard case .message(let target, let selector, _) = expression, missing == nil else { return }
      switch target {
      case .constant(.className(let name)), .cast(.constant(.string(let name)), "Class"):
        if policies.functions(named: name) == nil { missing = (selector, name) }
      default: return
      }
    }
    for case .expression(let expression) in mapping.attributeMappings.map(\.value) { expression.visit(look) }
    for case .expression(let expression) in mapping.relationshipMappings.map(\.value) { expression.visit(look) }
    mapping.filter?.visit(look)
    mapping.uniqueBy?.visit(look)
    guard let missing else { return }
    let found = MissingClass(name: missing.name, names: policies.functionNames, kind: "function")
    throw failure(
      reason: "needs-policy",
      "Entity mapping “\(mapping.name)” of \(model.path ?? model.name) calls “\(missing.selector)” of the class "
        + "\(found.words).", found.advice)
  }

  private func failure(reason: String, _ message: String, _ advice: String) -> MigrationFailure {
    MigrationFailure(
      disposition: .catalogue, reason: reason, coreDataCode: 134_110, message: message, advice: advice,
      family: family.name)
  }
}
