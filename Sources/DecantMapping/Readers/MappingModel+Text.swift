internal import DecantModel
internal import Foundation

extension MappingModel {
  /// Whether the mapping model comes from a text.
  public var isText: Bool { path?.hasSuffix(MappingFilePlace.Form.text.rawValue) ?? false }

  /// The line of an entity mapping's key in a text, from 1, or the entity mapping's line if it lacks the key.
  ///
  /// The file is read again.
  ///
  /// - Returns: `nil` for a mapping model that isn't a text, and if the file or the entity mapping isn't found.
  public func line(of key: String, in entityMapping: String) -> Int? {
    guard let path, path.hasSuffix(MappingFilePlace.Form.text.rawValue),
      let index = entityMappings.firstIndex(where: { $0.name == entityMapping }),
      let data = try? MappingFileContent.read(URL(fileURLWithPath: path))
    else { return nil }
    let place: [JSON5Step] = [.key("entityMappings"), .index(index)]
    return (JSON5Value.place(of: place + [.key(key)], in: data) ?? JSON5Value.place(of: place, in: data))?.line
  }
}
