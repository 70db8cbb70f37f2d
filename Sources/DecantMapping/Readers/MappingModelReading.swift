public import DecantModel
public import Foundation

/// A mapping model as it was read, with what the reader passed over.
public struct MappingModelReading: Sendable {
  /// What a file holds.
  public enum Content: Sendable {
    /// What somebody wrote (`.xcmappingmodel`, `.mapping.json5`): rules fill in the rest.
    case draft(MappingModelDraft)
    /// Everything (`.cdm`).
    case compiled(MappingModel)
  }

  /// What the file says about the versions that it is for.
  public let file: MappingModelFile
  public let content: Content
  /// One sentence for each kind of thing that was left aside.
  public let warnings: [String]

  /// The copies of the models that the file keeps; only the editor's form does.
  public var sourceModel: ManagedObjectModel? { draft?.sourceModel }
  public var destinationModel: ManagedObjectModel? { draft?.destinationModel }

  /// What a text holds; `nil` for other forms.
  var text: MappingModelDraft? { isText ? draft : nil }

  /// Whether somebody wrote the mapping model as text.
  public var isText: Bool { file.path.hasSuffix(MappingFilePlace.Form.text.rawValue) }

  /// Whether all of it is there on which what is said of other parts rests.
  var isWhole: Bool { draft.map { $0.isWhole && $0.entityMappings.allSatisfy(\.isWhole) } ?? true }

  /// Whether a finding is more than what follows from a part of a text that couldn't be read.
  func holds(_ finding: MappingFinding) -> Bool {
    guard let mapping = text?.entityMappings.first(where: { $0.compiledName == finding.entityMapping }) else {
      return true
    }
    if !mapping.isWhole || finding.severity == .warning && mapping.isChoiceUnread { return false }
    return finding.property.map { !mapping.unreadRows.contains($0) } ?? true
  }

  /// The source entities that its entity mappings name.
  var sourceEntityNames: [String] {
    switch content {
    case .draft(let draft): draft.entityMappings.compactMap(\.sourceEntityName)
    case .compiled(let model): model.entityMappings.compactMap(\.sourceEntityName)
    }
  }

  /// The names of its entity mappings.
  var entityMappingNames: [String] {
    switch content {
    case .draft(let draft): draft.entityMappings.map(\.compiledName)
    case .compiled(let model): model.entityMappings.map(\.name)
    }
  }

  private var draft: MappingModelDraft? { if case .draft(let draft) = content { draft } else { nil } }

  /// Reads a mapping model of any of the three forms.
  ///
  /// - Throws: `MappingModelError` with the entity mapping and the property.
  public static func read(at url: URL) throws(MappingModelError) -> MappingModelReading {
    let (reading, fault) = try survey(at: url)
    if let fault { throw fault }
    return reading
  }

  /// Reads a mapping model as far as it can be read, so that what else is wrong with a text can be told.
  ///
  /// - Returns: The mapping model without what the fault is about.
  /// - Throws: `MappingModelError` where nothing of it can be read, or not which versions it is for.
  public static func survey(
    at url: URL
  ) throws(MappingModelError) -> (reading: MappingModelReading, fault: MappingModelError?) {
    let place = try MappingFilePlace(url)
    let data = try MappingFileContent.read(place.content)
    let path = place.content.path
    var file = MappingModelFile(place)
    switch place.form {
    case .editor:
      let document = try EditorDocument(data, path: path)
      file.takeSource(document)
      var draft = MappingModelDraft(name: place.name, path: url.path)
      (draft.sourceVersion, draft.destinationVersion) = file.versionNames
      var reader = EditorMappingReader(document, path: path)
      try reader.read(into: &draft)
      return (Self(file: file, content: .draft(draft), warnings: reader.warnings.sentences), nil)
    case .compiled:
      try file.takeCompiled(data, path: path)
      var reader = CompiledMappingReader(path: path)
      let model = try reader.read(data, name: place.name)
      return (Self(file: file, content: .compiled(model), warnings: reader.warnings), nil)
    case .text:
      let object = try TextObject.document(data, path: path)
      let draft = TextMappingReader.survey(object, name: place.name, path: url.path)
      do throws(MappingModelError) {
        try file.takeText(object)
      } catch {
        throw object.fault ?? error
      }
      return (Self(file: file, content: .draft(draft), warnings: []), object.fault)
    }
  }

  /// The line of a text, from 1, where what a finding is about stands, and what to show of it; `nil` for other forms.
  ///
  /// The file is read once more for it.
  public func place(of finding: MappingFinding) -> (line: Int, excerpt: [String])? {
    guard let draft = text, let name = finding.entityMapping,
      let index = draft.entityMappings.firstIndex(where: { $0.compiledName == name }),
      let data = try? MappingFileContent.read(URL(fileURLWithPath: file.path))
    else { return nil }
    let mapping: [JSON5Step] = [.key("entityMappings"), .index(index)]
    var places: [[JSON5Step]] = []
    if let property = finding.property {
      places = ["attributes", "relationships"].map { mapping + [.key($0), .key(property)] }
    } else if let key = finding.key {
      places = [mapping + [.key(key)]]
    }
    guard let place = (places + [mapping]).lazy.compactMap({ JSON5Value.place(of: $0, in: data) }).first else {
      return nil
    }
    let excerpt = TextExcerpt(data, line: place.line, column: place.column, focus: finding.focus)
    return (place.line, excerpt.lines)
  }

  /// The mapping model with everything filled in; see `MappingModelDraft.compiled(from:to:)`.
  ///
  /// A compiled file is given back as it is.
  ///
  /// - Parameter others: What `others: "infer"` goes by; `nil` leaves the mapping model as it is written.
  public func compiled(
    from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil,
    completing others: OtherEntities? = OtherEntities()
  ) throws(MappingModelError) -> MappingModel {
    switch content {
    case .draft(let draft): try draft.compiled(from: source, to: destination, completing: others)
    case .compiled(let model): model
    }
  }
}

extension MappingModel {
  /// The line of its text, from 1, where a key of an entity mapping stands, or the entity mapping; `nil` for other forms.
  ///
  /// The file is read for it.
  public func line(of key: String, in entityMapping: String) -> Int? {
    guard let path, path.hasSuffix(MappingFilePlace.Form.text.rawValue),
      let index = entityMappings.firstIndex(where: { $0.name == entityMapping }),
      let data = try? MappingFileContent.read(URL(fileURLWithPath: path))
    else { return nil }
    let place: [JSON5Step] = [.key("entityMappings"), .index(index)]
    return (JSON5Value.place(of: place + [.key(key)], in: data) ?? JSON5Value.place(of: place, in: data))?.line
  }
}

extension MappingModelFile {
  /// The names of the two versions, with the bundle's where the versions' own are the same.
  var versionNames: (source: String?, destination: String?) {
    switch endpoints {
    case .names(let source, let destination): (source, destination)
    case .modelFolders(let source, let destination):
      source.version == destination.version
        ? (source.description, destination.description) : (source.version, destination.version)
    case .hashes, .unknown: (nil, nil)
    }
  }
}
