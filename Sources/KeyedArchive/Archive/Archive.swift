public import Foundation

/// What a keyed archive of unknown origin may cost.
public struct ArchiveLimits: Sendable {
  /// Bytes of the archive itself.
  public var maximumBytes: Int
  /// Entries of the object table.
  public var maximumObjects: Int
  /// The limits of the property list that the archive is.
  public var propertyList: PropertyListLimits

  /// Limits; the defaults fit every genuine model, model cache and mapping model that was seen many times over.
  public init(
    maximumBytes: Int = 64 << 20, maximumObjects: Int = 500_000,
    propertyList: PropertyListLimits = PropertyListLimits()
  ) {
    self.maximumBytes = maximumBytes
    self.maximumObjects = maximumObjects
    self.propertyList = propertyList
  }
}

/// An archive that `NSKeyedArchiver` wrote, as a plain graph of objects (docs/formats/model-files.md 4).
///
/// The object table is read once; references are followed only when a caller asks for a key, so that graphs in a
/// circle cost nothing. The names of classes are texts: nothing is looked up by them and nothing is made of them.
public struct Archive: Sendable {
  let objects: [PropertyList]
  private let top: [String: PropertyList]

  /// Reads the object table of an archive in binary form.
  ///
  /// - Throws: `ArchiveError` for anything else, or for what goes beyond `limits`.
  public init(parsing data: Data, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
    guard data.count <= limits.maximumBytes else { throw .tooManyBytes(limit: limits.maximumBytes) }
    guard data.starts(with: BinaryPropertyListReader.magic) else { throw .notBinary }
    let list: PropertyList
    do {
      list = try PropertyList(parsing: data, limits: limits.propertyList)
    } catch {
      throw .propertyList(error)
    }
    guard list["$archiver"]?.string == "NSKeyedArchiver" else {
      throw .notAnArchive(reason: "it doesn't say that NSKeyedArchiver wrote it")
    }
    guard let objects = list["$objects"]?.array else {
      throw .notAnArchive(reason: "it has no table of objects")
    }
    guard objects.count <= limits.maximumObjects else { throw .tooManyObjects(limit: limits.maximumObjects) }
    guard objects.first?.string == "$null" else {
      throw .notAnArchive(reason: "its table of objects doesn't begin with nil")
    }
    self.objects = objects
    top = list["$top"]?.dictionary ?? [:]
  }

  /// The object that the archive is of.
  ///
  /// - Throws: `ArchiveError.notAnArchive` where there is none.
  public func root() throws(ArchiveError) -> ArchiveNode {
    guard let value = top["root"], let node = try node(value) else {
      throw .notAnArchive(reason: "it has no root object")
    }
    return node
  }

  /// The object that a value stands for: the one that it refers to, or itself; `nil` for the archive's nil.
  func node(_ value: PropertyList) throws(ArchiveError) -> ArchiveNode? {
    guard case .uid(let reference) = value else { return ArchiveNode(archive: self, value: value, number: nil) }
    let number = Int(reference)
    guard objects.indices.contains(number) else {
      throw .badReference(object: number, count: objects.count)
    }
    guard number > 0 else { return nil }
    return ArchiveNode(archive: self, value: objects[number], number: number)
  }
}
