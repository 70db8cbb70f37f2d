public import Foundation
public import KeyedArchive

/// Writes small keyed archives for tests; their content need not be valid.
public struct ArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]

  public static let null = PropertyList.uid(0)

  public init() {}

  /// Adds a value to the table and returns a reference to it.
  public mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt32(objects.count - 1))
  }

  /// Adds an object of a class.
  public mutating func add(_ className: String, _ keys: [String: PropertyList]) -> PropertyList {
    let reference = reserve()
    set(reference, className, keys)
    return reference
  }

  /// Reserves a place for an object that others refer to before it is known.
  public mutating func reserve() -> PropertyList { add(.null) }

  /// Fills a reserved place.
  public mutating func set(_ reference: PropertyList, _ className: String, _ keys: [String: PropertyList]) {
    guard case .uid(let number) = reference else { return }
    var entries = keys
    entries["$class"] = self.className(className)
    objects[Int(number)] = .dictionary(entries)
  }

  private mutating func className(_ name: String) -> PropertyList {
    if let known = classes[name] { return known }
    let entry = add(
      .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])]))
    classes[name] = entry
    return entry
  }

  public mutating func text(_ text: String) -> PropertyList { add(.string(text)) }

  public mutating func array(_ members: [PropertyList], as className: String = "NSArray") -> PropertyList {
    add(className, ["NS.objects": .array(members)])
  }

  public mutating func dictionary(
    _ entries: [(String, PropertyList)], as className: String = "NSDictionary"
  ) -> PropertyList {
    let keys = entries.map { text($0.0) }
    return add(className, ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))])
  }

  /// The archive as a property list, for tests that damage it.
  public func list(root: PropertyList) -> PropertyList {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ])
  }

  /// The archive's bytes.
  public func data(root: PropertyList) -> Data { list(root: root).binaryData() }
}
