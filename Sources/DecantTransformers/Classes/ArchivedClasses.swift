internal import Foundation
internal import Synchronization

/// The program's own classes in archives, by the names that archives have for them.
///
/// An archive names the app's module, which differs from the worker's. So a class is found by its name alone, if only
/// one module has it. Names that were read are remembered, so that an object is written under the name that the app
/// knows.
package enum ArchivedClasses {
  /// A class, or the knowledge that there is none.
  ///
  /// `@unchecked Sendable`: a class is the same for all threads.
  private struct Entry: @unchecked Sendable {
    let type: (any NSCoding.Type)?
  }

  private struct State: Sendable {
    var classes: [String: Entry] = [:]
    /// The names of a class and its superclasses, without `NSObject`, by the name that the class has here.
    var chains: [String: [String]] = [:]
    /// The names that the program has set, by the name that the class has here.
    var own: [String: String] = [:]
  }

  private static let state = Mutex(State())

  /// The modules whose classes an archive can't ask for.
  private static let closed: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "Swift", "Dispatch", "__C",
  ]

  /// The program's class of an archived object; `nil` if it has none that can be read.
  ///
  /// - Parameter chain: The names of the class and its superclasses in the archive.
  static func type(named name: String, chain: [String]) -> (any NSCoding.Type)? {
    if let known = state.withLock({ $0.classes[name] }) { return known.type }
    let found = find(name)
    state.withLock {
      $0.classes[name] = Entry(type: found)
      guard let found else { return }
      let here = String(reflecting: found)
      if $0.chains[here] == nil { $0.chains[here] = chain.filter { $0 != "NSObject" } }
    }
    return found
  }

  /// The names under which an object is archived; `nil` if the app's name of its class isn't known.
  static func chain(of type: AnyClass) -> [String]? {
    let here = String(reflecting: type)
    return state.withLock { state in
      guard let own = state.own[here] else { return state.chains[here] }
      return [own] + (state.chains[here] ?? []).dropFirst()
    }
  }

  /// Sets the name that archives have for a class.
  package static func setName(_ name: String, for type: AnyClass) {
    let here = String(reflecting: type)
    state.withLock {
      $0.own[here] = name
      if let type = type as? any NSCoding.Type { $0.classes[name] = Entry(type: type) }
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
