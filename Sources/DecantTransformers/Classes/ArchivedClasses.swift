internal import Foundation
internal import KeyedArchive
internal import Synchronization

/// The program's own classes in archives, by the names that archives have for them.
///
/// An archive names the app's module, which differs from the worker's. So a class is found by its name alone, if only
/// one module has it. An object is written under the class names with which it was read. A new object is written under
/// the names that the store's archives have for its class. A name that the program has set (`setName`) replaces the
/// class's name in both cases.
package enum ArchivedClasses {
  /// The class for a name; `type` is `nil` if the program has none.
  ///
  /// `@unchecked Sendable`: a class is the same for all threads.
  private struct Entry: @unchecked Sendable {
    let type: (any NSCoding.Type)?
  }

  private struct State: Sendable {
    /// The classes by the names that archives asked for.
    var classes: [String: Entry] = [:]
    /// The classes by the names that the program has set.
    var set: [String: Entry] = [:]
    /// The names that the program has set, by the name that the class has here.
    var own: [String: String] = [:]
  }

  private static let state = Mutex(State())
  /// The largest number of names that are remembered; without a limit, archives with many names would fill the memory.
  package static let mostNames = 1000

  package static var rememberedNames: Int { state.withLock { $0.classes.count } }

  /// The modules whose classes an archive can't ask for.
  private static let closed: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "Swift", "Dispatch", "__C",
  ]

  /// The program's class of an archived object; `nil` if the program has no such class that can be read.
  ///
  /// A class that the app gives to `NSKeyedUnarchiver` for a name counts first.
  static func type(named name: String) -> (any NSCoding.Type)? {
    if let given = NSKeyedUnarchiver.class(forClassName: name) as? any NSCoding.Type { return given }
    if let known = state.withLock({ $0.set[name] ?? $0.classes[name] }) { return known.type }
    let found = find(name)
    state.withLock {
      if $0.classes.count >= mostNames { $0.classes.removeAll() }
      $0.classes[name] = Entry(type: found)
    }
    return found
  }

  /// The names under which an object is archived; `nil` if the app's name of its class isn't known.
  static func chain(of object: NSObject) -> [String]? {
    let type = Swift.type(of: object)
    let known =
      ClassChains.chain(of: object) ?? ArchiveScope.current?.chain(of: type) { Self.chain(of: type, in: $0) }
    let here = String(reflecting: type)
    guard let own = state.withLock({ $0.own[here] }) else { return known }
    return [own] + (known ?? []).dropFirst()
  }

  /// Whether a class belongs to a system module, whose archived forms on Linux differ from Apple's.
  static func isOfFoundation(_ type: Any.Type) -> Bool {
    closed.contains(String(String(reflecting: type).prefix { $0 != "." }))
  }

  /// The names that an archive has for a class and its superclasses; `nil` if the archive has no object of the class.
  static func chain(of type: AnyClass, in data: Data) -> [String]? {
    guard let archive = try? Archive(parsing: data) else { return nil }
    return archive.classChains.first { chain in
      chain.first.flatMap(Self.type(named:)).map { $0 == type } ?? false
    }?.filter { $0 != "NSObject" }
  }

  /// Sets the name that archives have for a class.
  package static func setName(_ name: String, for type: AnyClass) {
    let here = String(reflecting: type)
    state.withLock {
      $0.own[here] = name
      if let type = type as? any NSCoding.Type { $0.set[name] = Entry(type: type) }
    }
  }

  private static func find(_ name: String) -> (any NSCoding.Type)? {
    let parts = name.split(separator: ".").map(String.init)
    guard let plain = parts.last, parts.count <= 2 else { return nil }
    if parts.count == 2, let exact = open(NSClassFromString(name)) { return exact }
    let modules = (ProgramClasses.modules(ofClasses: [plain])[plain] ?? []).filter { !closed.contains($0) }
    let alike = modules.compactMap { open(NSClassFromString("\($0).\(plain)")) }
    return alike.count == 1 ? alike.first : nil
  }

  private static func open(_ type: AnyClass?) -> (any NSCoding.Type)? {
    guard let type, let module = String(reflecting: type).split(separator: ".").first,
      !closed.contains(String(module))
    else { return nil }
    return type as? any NSCoding.Type
  }
}
