public import DecantModel
public import Foundation

/// The file of a mapping model and what it says about the versions that it is for.
public struct MappingModelFile: Sendable, Hashable {
  /// How a file names its two versions.
  public enum Endpoints: Sendable, Hashable {
    /// By the folders of the models, as `.xcmappingmodel` does.
    case modelFolders(source: ModelFolder, destination: ModelFolder)
    /// By version names, as `.mapping.json5` does.
    case names(source: String, destination: String)
    /// By the version hashes of the entities that are mapped, as `.cdm` does.
    case hashes(source: EntityVersionHashes, destination: EntityVersionHashes)
    /// Not at all.
    case unknown
  }

  /// The last two parts of a model's path.
  public struct ModelFolder: Sendable, Hashable, CustomStringConvertible {
    /// The name of the `.xcdatamodeld`, without extension, where the path has one.
    public var bundle: String?
    /// The name of the `.xcdatamodel`, without extension.
    public var version: String

    /// Takes the parts from a path with either separator; `nil` where it doesn't end in an `.xcdatamodel`.
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
  /// The properties of each destination entity that the file lists, which tell the destination version where the
  /// path of the model has become stale; empty where the form doesn't list them.
  public var destinationProperties: [String: Set<String>]
  /// The place among the passes of one pair of versions, where the file says it.
  public var order: Int?

  /// The endings by which these files are known.
  public static let endings = [".xcmappingmodel", ".mapping.json5", ".cdm"]

  /// Reads as much of a file as is needed to know its versions.
  public static func read(at url: URL) throws(MappingModelError) -> MappingModelFile {
    let fileName = url.lastPathComponent
    guard let ending = endings.first(where: { fileName.hasSuffix($0) }) else {
      throw .unknownForm(path: url.path)
    }
    var file = MappingModelFile(
      name: String(fileName.dropLast(ending.count)), path: url.path, endpoints: .unknown,
      destinationProperties: [:],
      order: nil)
    let content = ending == ".xcmappingmodel" ? url.appendingPathComponent("xcmapping.xml") : url
    guard let data = try? Data(contentsOf: content) else { throw .unreadable(path: content.path) }
    switch ending {
    case ".xcmappingmodel": try file.takeSource(data, path: content.path)
    case ".cdm": try file.takeCompiled(data, path: content.path)
    default: try file.takeText(data, path: content.path)
    }
    return file
  }

  /// The header of a mapping model as text (DESIGN: `NAME.mapping.json5`).
  private mutating func takeText(_ data: Data, path: String) throws(MappingModelError) {
    let object: [String: JSON5Value]?
    do throws(JSON5Problem) {
      object = try JSON5Value.parse(data).object
    } catch {
      throw .malformed(path: path, reason: "it is not JSON5: \(error)")
    }
    guard let object else { throw .malformed(path: path, reason: "it is not an object { … }") }
    func name(_ key: String) throws(MappingModelError) -> String {
      switch object[key] {
      case .string(let name): return name
      case nil: throw .malformed(path: path, reason: "“\(key)” is missing")
      default: throw .malformed(path: path, reason: "“\(key)” must be a version's name in quotes")
      }
    }
    switch object["order"] {
    case nil, .null: break
    case .integer(let number): order = number
    default: throw .malformed(path: path, reason: "“order” must be a whole number")
    }
    endpoints = .names(source: try name("source"), destination: try name("destination"))
  }
}
