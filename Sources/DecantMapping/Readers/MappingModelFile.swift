public import DecantModel
public import Foundation

/// The file of a mapping model and its information about the two versions.
public struct MappingModelFile: Sendable, Hashable {
  /// How a file names its two versions.
  public enum Endpoints: Sendable, Hashable {
    /// By the folders of the models, as `.xcmappingmodel` does.
    case modelFolders(source: ModelFolder, destination: ModelFolder)
    /// By version names, as `.mapping.json5` does.
    case names(source: String, destination: String)
    /// By the version hashes of the mapped entities, as `.cdm` does.
    case hashes(source: EntityVersionHashes, destination: EntityVersionHashes)
    /// The file doesn't name its versions.
    case unknown
  }

  /// The last two parts of a model's path.
  public struct ModelFolder: Sendable, Hashable, CustomStringConvertible {
    /// The name of the `.xcdatamodeld`, without extension, if the path has one.
    public var bundle: String?
    /// The name of the `.xcdatamodel`, without extension.
    public var version: String

    /// Takes the parts from a path with the separator `/` or `\`; `nil` if the path doesn't end in an `.xcdatamodel`.
    public init?(path: String) {
      let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" })
      guard let last = parts.last, last.hasSuffix(".xcdatamodel") else { return nil }
      version = String(last.dropLast(".xcdatamodel".count))
      let parent = parts.dropLast().last
      bundle = parent?.hasSuffix(".xcdatamodeld") == true ? parent.map { String($0.dropLast(13)) } : nil
    }

    public var description: String { bundle.map { "\($0)#\(version)" } ?? version }
  }

  /// The file's name without its extension.
  public var name: String
  public var path: String
  public var endpoints: Endpoints
  /// The properties of each destination entity in the file; empty if the form doesn't list them.
  ///
  /// They identify the destination version if the model's path is stale.
  public var destinationProperties: [String: Set<String>]
  /// The place among the passes of one pair of versions, if the file states it.
  public var order: Int?

  /// The file name endings of mapping models.
  public static let endings = [".xcmappingmodel", ".mapping.json5", ".cdm"]

  /// Reads only the parts of a file that identify its versions.
  public static func read(at url: URL) throws(MappingModelError) -> MappingModelFile {
    let place = try MappingFilePlace(url)
    var file = MappingModelFile(place)
    let data = try MappingFileContent.read(place.content)
    switch place.form {
    case .editor: file.takeSource(try EditorDocument(data, path: place.content.path))
    case .compiled: try file.takeCompiled(data, path: place.content.path)
    case .text: try file.takeText(try TextObject.document(data, path: place.content.path))
    }
    return file
  }

  init(_ place: MappingFilePlace) {
    name = place.name
    path = place.url.path
    endpoints = .unknown
    destinationProperties = [:]
  }

  /// Reads the versions and `order` of a text (docs/mapping-models.md, “Keys of the file”).
  mutating func takeText(_ object: TextObject) throws(MappingModelError) {
    do throws(MappingModelError) {
      order = try object.integer("order")
      endpoints = .names(
        source: try object.versionName("source"), destination: try object.versionName("destination"))
    } catch {
      // A key that seems to be missing may be misspelt; then the misspelling is reported.
      try object.allow(TextMappingReader.keys, of: "the mapping model")
      throw error
    }
  }
}
