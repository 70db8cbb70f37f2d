internal import DecantMapping
internal import DecantModel
internal import Foundation

/// Reads, fills in and checks the mapping models of one step: everything about them that can fail without a row.
struct PassPreparation {
  let family: Family
  let source: FamilyVersion
  let destination: FamilyVersion

  /// The mapping models in the order of their passes.
  ///
  /// - Throws: A failure of the catalogue for a file that can't be used; a refusal where a policy is missing.
  func models(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
    let models = try compiled(files)
    for model in models { try checkPolicies(model) }
    return models
  }

  /// The same, whether or not their policies are there.
  func compiled(_ files: [FamilyMappingModel]) throws(MigrationFailure) -> [MappingModel] {
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
        in: item.model, from: source.model, to: destination.model, reading: item.reading, passes: others)
      let errors = findings.filter { $0.severity == .error }
      guard let first = errors.first else { continue }
      throw failure(
        reason: "bad-mapping-model",
        "\(first)" + (errors.count > 1 ? " It has \(errors.count - 1) further errors." : ""),
        "Mend that file; the family's stores wait until then.")
    }
    if let model = models.first(where: { $0.validation == .quarantine }) {
      throw failure(
        reason: "bad-mapping-model",
        "\(model.path ?? model.name) says validation: \"quarantine\", which is not there yet.",
        "Say \"fail\" or \"report\".")
    }
    return models
  }

  private func checkPolicies(_ model: MappingModel) throws(MigrationFailure) {
    for mapping in model.entityMappings {
      let policy: String
      switch mapping.policy {
      case .className(let name)?: policy = "the class \(name)"
      case .program(let words)?: policy = "the program \(words.first ?? "")"
      case nil: continue
      }
      throw MigrationFailure(
        disposition: .refuse, reason: "needs-policy", coreDataCode: 134_110,
        message:
          "Entity mapping “\(mapping.name)” of \(model.path ?? model.name) leaves its objects to \(policy), and "
          + "this version of Decant runs no policies.",
        advice: "Write its values as expressions, or migrate to a version before it with --to.",
        family: family.name)
    }
  }

  private func failure(reason: String, _ message: String, _ advice: String) -> MigrationFailure {
    MigrationFailure(
      disposition: .catalogue, reason: reason, coreDataCode: 134_110, message: message, advice: advice,
      family: family.name)
  }
}
