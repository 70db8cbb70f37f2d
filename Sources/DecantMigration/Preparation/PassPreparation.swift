package import DecantCatalogue
package import DecantMapping
internal import DecantModel
package import DecantReport
internal import Foundation

/// Reads, completes and checks the mapping models of one step: all checks that need no row.
package struct PassPreparation {
  let family: Family
  let source: FamilyVersion
  let destination: FamilyVersion
  /// Sentences for plan and report.
  private(set) var warnings: [String] = []
  private(set) var findings: [PlanFinding] = []

  package init(family: Family, source: FamilyVersion, destination: FamilyVersion) {
    self.family = family
    self.source = source
    self.destination = destination
  }

  /// The mapping models in the order of their passes, without a check for missing policies.
  ///
  /// - Throws: A `MigrationFailure` with the reason `passOrder`, `badMappingModel` or `staleMappingModel`.
  package mutating func compiled(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
    if let order = UnknownPassOrder(files, from: source, to: destination) {
      throw MigrationFailure(
        .passOrder, message: order.message,
        advice: order.advice, family: family.name)
    }
    var faults = MappingModelFaults()
    var surveyed: [(reading: MappingModelReading, fault: MappingModelError?)] = []
    for file in files.map(\.file) {
      do throws(MappingModelError) {
        surveyed.append(try MappingModelReading.survey(at: URL(fileURLWithPath: file.path)))
      } catch {
        faults.note(error, of: file.path)
      }
    }
    var readings: [(reading: MappingModelReading, model: MappingModel, fault: MappingModelError?)] = []
    let areKnown = faults.isEmpty && surveyed.allSatisfy { $0.fault == nil }
    for (index, item) in surveyed.enumerated() {
      var others = surveyed.map(\.reading)
      others.remove(at: index)
      do throws(MappingModelError) {
        let model = try item.reading.compiled(
          from: source.model, to: destination.model,
          completing: areKnown ? family.otherEntities(to: destination, besides: others) : nil)
        readings.append((item.reading, model, item.fault))
      } catch {
        faults.note(error, of: item.reading.file.path)
      }
    }
    let isWhole = faults.isEmpty && readings.allSatisfy { $0.fault == nil }
    let models = readings.map(\.model)
    for (index, item) in readings.enumerated() {
      var others = models
      others.remove(at: index)
      let findings = MappingCheck.findings(
        in: item.model, from: source.model, to: destination.model, reading: item.reading, passes: others,
        arePassesWhole: isWhole,
        acceptsStaleHashes: family.configuration.acceptStaleHashes.accepts(item.reading.file.name),
        needsAllEntities: true)
      warnings += findings.filter { $0.subject == .unused && $0.severity == .warning }.map(\.description)
      note(findings, of: item.reading, item.model)
      if let fault = item.fault { faults.note(fault, of: item.reading.file.path) }
      faults.note(findings.filter { $0.severity == .error && $0.subject != .hash }, of: item.reading)
      guard faults.isEmpty else { continue }
      try checkHashes(findings.filter { $0.subject == .hash }, of: item.reading.file)
    }
    if let failure = faults.failure(family: family.name) { throw failure }
    return models
  }

  /// Adds the warnings about a mapping model's content to `findings`.
  ///
  /// `compiled` handles errors, parts without effect and stale hashes. `PolicySearch` handles functions.
  private mutating func note(_ found: [MappingFinding], of reading: MappingModelReading, _ model: MappingModel)
  {
    for finding in found where finding.severity == .warning && finding.subject == .content {
      // The file is read again for each line number, so only the first findings get one.
      let line = findings.count < Self.maximumLines ? reading.place(of: finding)?.line : nil
      findings.append(PlanFinding(finding, pass: model.name, line: line))
    }
  }

  private static let maximumLines = 50

  /// Checks mapping models that a program passes as objects, and returns them unchanged.
  ///
  /// - Throws: A `MigrationFailure` with the reason `badMappingModel`. Stale hashes are accepted.
  func checked(_ models: [MappingModel]) throws(MigrationFailure) -> [MappingModel] {
    for (index, model) in models.enumerated() {
      var others = models
      others.remove(at: index)
      let findings = MappingCheck.findings(
        in: model, from: source.model, to: destination.model, passes: others, acceptsStaleHashes: true)
      let errors = findings.filter { $0.severity == .error }
      if let first = errors.first {
        throw DirectStep.failure(
          .badMappingModel, "\(first)",
          details: errors.dropFirst().prefix(MappingModelFaults.shown).map(\.description))
      }
    }
    return models
  }

  /// Refuses the step for stale hashes and lists all differences.
  ///
  /// If stale hashes are accepted, the differences become warnings.
  private mutating func checkHashes(
    _ findings: [MappingFinding], of file: MappingModelFile
  ) throws(MigrationFailure) {
    guard findings.contains(where: { $0.severity == .error }) else {
      warnings += findings.map(\.description)
      return
    }
    throw MigrationFailure(
      .staleMappingModel,
      message: "\(file.path) was made for another state of “\(source.name)” or “\(destination.name)”.",
      details: findings.map { "entity mapping “\($0.entityMapping ?? "")”: \($0.problem)" },
      advice:
        "Save the mapping model again for these versions. If the differences don't matter, write "
        + "acceptStaleHashes: [\"\(file.name)\"] in family.json5.", family: family.name)
  }
}
