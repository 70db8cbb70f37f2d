/// Builds the object table of a new keyed archive (docs/formats/model-files.md 4).
public struct ArchiveTable {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]

  public init() {}

  /// The number of objects, with nil and the descriptions of classes.
  public var count: Int { objects.count }

  /// Adds a plain value.
  ///
  /// - Returns: A reference to it.
  public mutating func place(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt32(truncatingIfNeeded: objects.count - 1))
  }

  /// Adds an object.
  ///
  /// - Parameter names: The names of the object's class and of its superclasses, except `NSObject`, which is added.
  /// - Returns: A reference to it.
  public mutating func object(_ names: [String], _ keys: [String: PropertyList]) -> PropertyList {
    let description = description(names)
    return place(.dictionary(keys.merging(["$class": description]) { $1 }))
  }

  /// Makes a place for an object whose members come later.
  public mutating func reserve() -> PropertyList { place(.null) }

  /// Fills a reserved place.
  public mutating func fill(_ reference: PropertyList, _ names: [String], _ keys: [String: PropertyList]) {
    guard case .uid(let number) = reference, objects.indices.contains(Int(number)) else { return }
    let description = description(names)
    objects[Int(number)] = .dictionary(keys.merging(["$class": description]) { $1 })
  }

  /// The archive with this root object.
  public func list(root: PropertyList) -> PropertyList {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ])
  }

  /// The description of a class, which its objects share.
  private mutating func description(_ names: [String]) -> PropertyList {
    let name = names.first ?? "NSObject"
    if let known = classes[name] { return known }
    let chain = (names + ["NSObject"]).map(PropertyList.string)
    let made = place(.dictionary(["$classname": .string(name), "$classes": .array(chain)]))
    classes[name] = made
    return made
  }
}
