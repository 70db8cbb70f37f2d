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
  /// The parts of the mapping model that can be read.
  let reading: MappingModelReading
  /// The error of the parts that can't be read; `nil` if there are none.
  private let fault: MappingModelError?
  /// The mapping model's versions in a catalogue; `nil` if they aren't known.
  private let versions: MappingModelVersions?
  /// The error because of which the mapping model's versions aren't known.
  private let versionFault: FamilyError?
  /// The other mapping models for the same versions.
  private var others: [MappingModelReading] = []
  /// `others`, compiled: this mapping model may refer to their entity mappings.
  private var passes: [MappingModel] = []
  /// False if a fault may hide entity mappings of other mapping models.
  private var areOthersWhole = true
  private(set) var warnings: [String] = []

  /// Reads the file, and finds its versions in the given catalogue or in the file's folder.
  init(_ path: String, models: String?) throws(CommandFailure) {
    self.path = path
    // A shell may have appended a slash to a folder's name. The standardised URL has no such slash.
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
    } else {
      do throws(CatalogueError) {
        let catalogue = try Catalogue.read(at: url.deletingLastPathComponent())
        let (versions, fault) = Self.versions(for: reading.file, in: catalogue)
        self.versions = versions
        // A mapping model in another form can be printed without its versions, so the error is dropped.
        versionFault = reading.isText ? fault : nil
      } catch {
        (versions, versionFault) = (nil, nil)
        warnings.append(error.description)
      }
    }
    readOthers()
  }

  private mutating func readOthers() {
    guard let versions else { return }
    let own = FileName(reading.file.name)
    let files = versions.family.mappingModels(from: versions.source.index, to: versions.destination.index)
    var faults: [MappingModelError] = []
    for file in files where FileName(file.file.name) != own {
      do throws(MappingModelError) {
        let other = try MappingModelReading.read(at: URL(fileURLWithPath: file.file.path))
        others.append(other)
        passes.append(try other.compiled(from: source, to: destination, completing: nil))
      } catch {
        faults.append(error)
      }
    }
    // The shell may have made an empty file for the output, so there is no warning about an empty file.
    let unread = versions.faults.filter { fault in
      fault.filePath.map { !Self.isOf($0, own) && !Self.isEmpty($0) } ?? true
    }
    areOthersWhole = versions.faults.isEmpty && faults.isEmpty
    warnings += Set(unread.map { $0.sentences[0] } + faults.map(\.sentence)).sorted().map {
      "\($0). The entity mappings of this file aren't taken into account."
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

  /// Reads the file again, because `reading` doesn't have the comments.
  func comments() throws(CommandFailure) -> [String] {
    guard reading.isText else { return [] }
    do throws(FileProblem) {
      return JSON5Value.comments(in: try DiskRead.contents(of: path, limit: JSON5Value.sizeLimit))
    } catch {
      throw CommandFailure(.badData, "\(path) can't be read again: \(error).")
    }
  }

  /// - Parameter isComplete: Whether to add the entity mappings for `others: "infer"`.
  func compiled(isComplete: Bool = true) throws(MappingModelError) -> MappingModel {
    var model = try reading.compiled(
      from: source, to: destination, completing: isComplete ? otherEntities : nil)
    model.sourceVersion = versions?.source.name ?? model.sourceVersion
    model.destinationVersion = versions?.destination.name ?? model.destinationVersion
    return model
  }

  /// Refuses a mapping model if an error hides its versions, or if a part of it can't be read.
  func checkWhole() throws(CommandFailure) {
    if let versionFault {
      throw CommandFailure(
        .badData, "\(versionFault.sentences[0]).", details: fault?.parts.map(\.reason) ?? [])
    }
    guard let fault else { return }
    // If the readable parts can't be compiled, this run doesn't show the reason. After the faults of the unreadable
    // parts are corrected, the next run shows the reason.
    let errors = (try? compiled()).map(findings)?.filter { $0.severity == .error } ?? []
    guard !errors.isEmpty || fault.parts.count > 1 else { throw CommandFailure(fault) }
    throw .unreadable(
      path, fault.parts.map(\.reason) + errors.map { $0.description(line: reading.place(of: $0)?.line) })
  }

  func findings(in model: MappingModel) -> [MappingFinding] {
    guard let source, let destination else { return [] }
    return MappingCheck.findings(
      in: model, from: source, to: destination, reading: reading, passes: passes,
      arePassesWhole: areOthersWhole,
      acceptsStaleHashes: versions?.family.configuration.acceptStaleHashes.accepts(reading.file.name) ?? false)
  }

  /// A mapping model in Xcode's form drops the objects of these source entities silently.
  func leftBehind(by model: MappingModel) -> [String] {
    guard !reading.isText, let source, let destination else { return [] }
    return MappingCoverage([model] + passes, from: source, to: destination).untaken
  }

  /// Whether a path is that of the mapping model with this name, or of a file in that mapping model's folder.
  private static func isOf(_ path: String, _ name: FileName) -> Bool {
    path.split(separator: "/").suffix(2).contains { part in
      MappingModelFile.endings.contains { FileName(String(part)) == name + $0 }
    }
  }

  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  private var otherEntities: OtherEntities {
    guard let versions else { return OtherEntities(besides: others) }
    return versions.family.otherEntities(to: versions.destination, besides: others)
  }
}

extension FamilyError {
  fileprivate var filePath: String? {
    switch self {
    case .mappingModel(let error): error.path
    case .mappingModelVersions(let path, _, _, _): path
    default: nil
    }
  }
}

extension CommandFailure {
  fileprivate static func unreadable(_ path: String, _ faults: [String]) -> CommandFailure {
    CommandFailure(.badData, "\(path) is not a readable mapping model:", details: faults)
  }

  init(_ error: MappingModelError) {
    let reason: FailureReason = if case .unreadable = error { .noSuchFile } else { .badData }
    if case .noModels(let path) = error {
      self.init(
        reason,
        "\(path) leaves out properties that rules fill in, and the models of its versions aren't known.",
        advice: "Name a catalogue that has them: --models DIR.")
    } else if case .several(let path, let errors) = error {
      self = .unreadable(path, errors.map(\.reason))
    } else {
      self.init(reason, "\(error.sentence).", details: error.excerpt)
    }
  }
}
