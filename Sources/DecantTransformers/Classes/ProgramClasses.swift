internal import Foundation

/// Finds classes of the running program by their names, in all modules.
///
/// Without Objective-C there is no list of all classes. But each image has a section that describes its types, and
/// Swift's runtime lists these sections (Swift's docs/ABI/TypeMetadata.rst, “Nominal Type Descriptor”). If the
/// sections can't be listed, no class is found. Then a program can register its classes.
package enum ProgramClasses {
  /// For each name, the modules that have a class of this name; classes within functions and other types don't count.
  package static func modules(ofClasses names: Set<String>) -> [String: [String]] {
    guard !names.isEmpty, let enumerate = enumerator else { return [:] }
    let search = Search(names)
    enumerate(
      { sections, context in
        if let sections, let context {
          Unmanaged<Search>.fromOpaque(context).takeUnretainedValue().read(sections)
        }
        return true
      }, Unmanaged.passUnretained(search).toOpaque())
    return search.found
  }

  private typealias Body = @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Bool
  private typealias Enumerate = @convention(c) (Body, UnsafeMutableRawPointer?) -> Void

  private static var enumerator: Enumerate? {
    #if os(Linux) && _pointerBitWidth(_64)
      dlsym(nil, "swift_enumerateAllMetadataSections").map { unsafeBitCast($0, to: Enumerate.self) }
    #else
      nil
    #endif
  }

  /// The beginning of a list of an image's sections.
  private struct Sections {
    struct Section {
      let start: UInt
      let length: UInt
    }

    /// The list's version, the image's address, and two unused words.
    let head: (UInt, UInt, UInt, UInt)
    let protocols: Section
    let conformances: Section
    let types: Section
  }

  private final class Search {
    private let names: Set<String>
    var found: [String: [String]] = [:]

    init(_ names: Set<String>) { self.names = names }

    func read(_ pointer: UnsafeRawPointer) {
      let types = pointer.load(as: Sections.self).types
      guard let start = UnsafeRawPointer(bitPattern: types.start) else { return }
      for place in stride(from: 0, to: Int(types.length) / 4 * 4, by: 4) {
        if let description = Self.description(start + place) { take(description) }
      }
    }

    private func take(_ description: UnsafeRawPointer) {
      guard Self.kind(description) == Self.aClass,
        let parent = Self.target(description + 4, mayBeIndirect: true),
        Self.kind(parent) == Self.aModule, let name = Self.text(description + 8), names.contains(name),
        let module = Self.text(parent + 8)
      else { return }
      found[name, default: []].append(module)
    }

    private static let aModule: UInt32 = 0
    private static let aClass: UInt32 = 16

    private static func kind(_ description: UnsafeRawPointer) -> UInt32 {
      description.loadUnaligned(as: UInt32.self) & 0x1f
    }

    /// The description at which a record of the section points, directly or through a pointer.
    private static func description(_ record: UnsafeRawPointer) -> UnsafeRawPointer? {
      let offset = record.loadUnaligned(as: Int32.self)
      let form = offset & 3
      guard offset != 0, form < 2 else { return nil }
      let place = record + Int(offset & ~3)
      return form == 1 ? place.loadUnaligned(as: UnsafeRawPointer?.self) : place
    }

    /// The target of a relative pointer.
    private static func target(_ place: UnsafeRawPointer, mayBeIndirect: Bool) -> UnsafeRawPointer? {
      let offset = place.loadUnaligned(as: Int32.self)
      guard offset != 0 else { return nil }
      guard mayBeIndirect else { return place + Int(offset) }
      let target = place + Int(offset & ~1)
      return offset & 1 == 1 ? target.loadUnaligned(as: UnsafeRawPointer?.self) : target
    }

    private static func text(_ place: UnsafeRawPointer) -> String? {
      target(place, mayBeIndirect: false).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }
  }
}
