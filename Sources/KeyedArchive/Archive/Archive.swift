public import Foundation

/// Limits for a keyed archive of unknown origin.
public struct ArchiveLimits: Sendable {
  /// The size of the archive itself in bytes.
  public var maximumBytes: Int
  /// The number of entries of the object table.
  public var maximumObjects: Int
  /// The limits of the archive's property list.
  public var propertyList: PropertyListLimits

  /// Limits; the defaults are many times what genuine models, model caches and mapping models need.
  public init(
    maximumBytes: Int = 64 << 20, maximumObjects: Int = 500_000,
    propertyList: PropertyListLimits = PropertyListLimits()
  ) {
    self.maximumBytes = maximumBytes
    self.maximumObjects = maximumObjects
    self.propertyList = propertyList
  }
}

/// An archive of `NSKeyedArchiver`, as a plain graph of objects (docs/formats/model-files.md 4).
///
/// The object table is read once. References are followed only when a caller asks for a key, so that circular graphs do
/// no harm. Class names are only texts: no class is looked up or instantiated.
public struct Archive: Sendable {
  let objects: [PropertyList]
  private let top: [String: PropertyList]

  /// Reads the object table of an archive in binary form.
  ///
  /// - Throws: `ArchiveError` for other data, or if `limits` are exceeded.
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

  /// The archive's root object.
  ///
  /// - Throws: `ArchiveError.notAnArchive` if the archive has no root object, or if the root object is nil;
  ///   `badReference` if the table doesn't have the object.
  public func root() throws(ArchiveError) -> ArchiveNode {
    guard let value = top["root"], let node = try node(value) else {
      throw .notAnArchive(reason: "it has no root object")
    }
    return node
  }

  /// The archive's root object; `nil` for an archive of nil.
  ///
  /// - Throws: `ArchiveError.notAnArchive` if the archive has no entry for the root; `badReference` if the table
  ///   doesn't have the object.
  public func rootOrNil() throws(ArchiveError) -> ArchiveNode? {
    guard let value = top["root"] else { throw .notAnArchive(reason: "it has no root object") }
    return try node(value)
  }

  /// The names of each class in the object table and of its superclasses, as texts.
  ///
  /// A list that doesn't begin with the class's own name is left out.
  public var classChains: [[String]] {
    objects.compactMap { object in
      guard let name = object["$classname"]?.string,
        let chain = object["$classes"]?.array?.compactMap(\.string), chain.first == name
      else { return nil }
      return chain
    }
  }

  /// The object of a value: the referenced object, or the value itself; `nil` for the archive's nil.
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
