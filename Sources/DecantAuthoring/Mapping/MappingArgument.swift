internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantMigration
internal import DecantModel
internal import DecantReport
internal import FileNames
internal import Foundation

/// A mapping model on the command line, with the models of its two versions.
struct MappingArgument {
  let path: String
  /// The readable parts.
  let reading: MappingModelReading
  /// The error of an unreadable part.
  private let fault: MappingModelError?
  /// The versions in a catalogue.
  private let versions: MappingModelVersions?
  /// Why the mapping model's versions aren't known.
  private let versionFault: FamilyError?

  /// Reads the file, and finds its versions in the given catalogue or in the file's folder.
  init(_ path: String, models: String?) throws(CommandFailure) {
    self.path = path
    // A shell may have appended a slash to a folder.
    let url = URL(fileURLWithPath: path).standardizedFileURL
    guard access(url.path, F_OK) == 0 else { throw InputFile.missing(path, what: "file") }
    guard access(url.path, R_OK) == 0 else { throw InputFile.forbidden(path) }
    do throws(MappingModelError) {
      (reading, fault) = try MappingModelReading.survey(at: url)
    } catch {
      throw CommandFailure(error)
    }
    if let models {
      let catalogue = try InputFile.catalogue(models)
      (versions, versionFault) = Self.versions(for: reading.file, in: catalogue)
      guard versions != nil || versionFault != nil else {
        throw CommandFailure(
          .badData, "\(path) isn't for exactly one pair of versions in \(models).",
          advice: "Name the folder of its family.")
      }
    } else if let catalogue = try? Catalogue.read(at: url.deletingLastPathComponent()) {
      let (versions, fault) = Self.versions(for: reading.file, in: catalogue)
      self.versions = versions
      // Mapping models in other forms can be printed without their versions.
      versionFault = reading.isText ? fault : nil
    } else {
      (versions, versionFault) = (nil, nil)
    }
  }

  private static func versions(
    for file: MappingModelFile, in catalogue: Catalogue
  ) -> (MappingModelVersions?, FamilyError?) {
    do throws(FamilyError) {
      return (try catalogue.versions(for: file), nil)
    } catch {
      return (nil, error)
    }
  }

  var source: ManagedObjectModel? { versions?.source.model ?? reading.sourceModel }
  var destination: ManagedObjectModel? { versions?.destination.model ?? reading.destinationModel }

  /// The comments of a text, which a mapping model doesn't contain.
  var comments: [String] {
    guard path.hasSuffix(".mapping.json5"),
      let data = try? DiskRead.contents(of: path, limit: JSON5Value.sizeLimit)
    else {
      return []
    }
    return JSON5Value.comments(in: data)
  }

  /// The complete mapping model, with the versions' names in the catalogue.
  ///
  /// - Parameter isComplete: Whether to add the entity mappings for `others: "infer"`.
  func compiled(isComplete: Bool = true) throws(MappingModelError) -> MappingModel {
    var model = try reading.compiled(
      from: source, to: destination, completing: isComplete ? others(besides: readings) : nil)
    model.sourceVersion = versions?.source.name ?? model.sourceVersion
    model.destinationVersion = versions?.destination.name ?? model.destinationVersion
    return model
  }

  /// Refuses a text that has an unreadable part or unknown versions.
  ///
  /// The failure contains all other findings, too.
  func checkWhole() throws(CommandFailure) {
    if let versionFault {
      throw CommandFailure(
        .badData, "\(versionFault.sentences[0]).", details: fault?.parts.map(\.reason) ?? [])
    }
    guard let fault else { return }
    let errors = (try? compiled()).map(findings)?.filter { $0.severity == .error } ?? []
    guard !errors.isEmpty || fault.parts.count > 1 else { throw CommandFailure(fault) }
    throw CommandFailure(
      .badData, "\(path) is not a readable mapping model:",
      details: fault.parts.map(\.reason) + errors.map { $0.description(line: reading.place(of: $0)?.line) })
  }

  /// The parts that don't fit the versions; empty if the versions aren't known.
  func findings(in model: MappingModel) -> [MappingFinding] {
    guard let source, let destination else { return [] }
    return MappingCheck.findings(
      in: model, from: source, to: destination, reading: reading, passes: passes,
      arePassesWhole: versions?.isWhole ?? true && passes.count == otherFiles.count,
      acceptsStaleHashes: versions?.family.configuration.acceptStaleHashes.accepts(reading.file.name) ?? false)
  }

  /// The source entities without an entity mapping of the pair.
  ///
  /// Xcode's form drops them silently.
  func leftBehind(by model: MappingModel) -> [String] {
    guard !reading.isText, let source, let destination else { return [] }
    return MappingCoverage([model] + passes, from: source, to: destination).untaken
  }

  private func others(besides readings: [MappingModelReading]) -> OtherEntities {
    guard let versions else { return OtherEntities(besides: readings) }
    return versions.family.otherEntities(to: versions.destination, besides: readings)
  }

  /// The other mapping models of the pair, whose entity mappings may be referenced.
  private var passes: [MappingModel] {
    readings.compactMap { other in
      try? other.compiled(from: source, to: destination, completing: nil)
    }
  }

  private var readings: [MappingModelReading] {
    otherFiles.compactMap { try? MappingModelReading.read(at: URL(fileURLWithPath: $0.file.path)) }
  }

  private var otherFiles: [FamilyMappingModel] {
    guard let versions else { return [] }
    let all = versions.family.mappingModels(from: versions.source.index, to: versions.destination.index)
    return all.filter { FileName($0.file.name) != FileName(reading.file.name) }
  }
}

extension CommandFailure {
  init(_ error: MappingModelError) {
    let reason: FailureReason = if case .unreadable = error { .noSuchFile } else { .badData }
    if case .noModels(let path) = error {
      self.init(
        reason,
        "\(path) leaves out properties that rules fill in, and the models of its versions aren't known.",
        advice: "Name a catalogue that has them: --models DIR.")
    } else if case .several(let path, let errors) = error {
      self.init(reason, "\(path) is not a readable mapping model:", details: errors.map(\.reason))
    } else {
      self.init(reason, "\(error.sentence).", details: error.excerpt)
    }
  }
}
