public import DecantModel
public import Foundation

/// A mapping model as read, with warnings about skipped parts.
public struct MappingModelReading: Sendable {
  /// The content of a file.
  public enum Content: Sendable {
    /// A written mapping model (`.xcmappingmodel`, `.mapping.json5`): rules fill in the omitted parts.
    case draft(MappingModelDraft)
    /// A complete mapping model (`.cdm`).
    case compiled(MappingModel)
  }

  /// The file's information about its versions.
  public let file: MappingModelFile
  public let content: Content
  /// Sentences about skipped parts and other faults that didn't end the reading; empty for a text.
  public let warnings: [String]

  /// The file's copies of the models; only the editor's form has them.
  public var sourceModel: ManagedObjectModel? { draft?.sourceModel }
  public var destinationModel: ManagedObjectModel? { draft?.destinationModel }

  var text: MappingModelDraft? { isText ? draft : nil }

  /// Whether the mapping model is a text.
  public var isText: Bool { file.path.hasSuffix(MappingFilePlace.Form.text.rawValue) }

  var isWhole: Bool { draft.map { $0.isWhole && $0.entityMappings.allSatisfy(\.isWhole) } ?? true }

  var sourceEntityNames: [String] {
    switch content {
    case .draft(let draft): draft.entityMappings.compactMap(\.sourceEntityName)
    case .compiled(let model): model.entityMappings.compactMap(\.sourceEntityName)
    }
  }

  var entityMappingNames: [String] {
    switch content {
    case .draft(let draft): draft.entityMappings.map(\.compiledName)
    case .compiled(let model): model.entityMappings.map(\.name)
    }
  }

  private var draft: MappingModelDraft? { if case .draft(let draft) = content { draft } else { nil } }

  /// Reads a mapping model of any of the three forms.
  ///
  /// - Throws: `MappingModelError` if any part can't be read; for a text, with up to 50 faults.
  public static func read(at url: URL) throws(MappingModelError) -> MappingModelReading {
    let (reading, fault) = try survey(at: url)
    if let fault { throw fault }
    return reading
  }

  /// Reads the readable part of a mapping model, so that further faults of a text can be reported.
  ///
  /// - Returns: The mapping model without the faulty parts, and its faults; `fault` is `nil` if there are none.
  /// - Throws: `MappingModelError` if the file or its versions can't be read. Unless the file is a text, every fault is
  ///   thrown.
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

  static func checkText(_ text: String, path: String) throws(MappingModelError) {
    let object = try TextObject.document(Data(text.utf8), path: path)
    _ = TextMappingReader.survey(object, name: "", path: path)
    if let fault = object.fault { throw fault }
  }
}

extension MappingModelFile {
  /// The names of the two versions, with the bundles' names if both versions have the same name; `nil` if the file
  /// doesn't name its versions.
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
