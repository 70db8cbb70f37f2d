internal import DecantMapping

/// A family whose folder can't be used, and why.
public struct BrokenFamily: Sendable {
  public let name: String
  public let path: String
  /// Every fault of the family; not empty.
  public let faults: [FamilyError]
  /// The readable part of the family, used to recognise its stores; `nil` if no model can be read.
  ///
  /// This part must not be used to migrate a store.
  package let models: Family?
  /// A sentence for each model that can't be read.
  ///
  /// If `models` is `nil`, a sentence for each fault of the family.
  let unread: [String]

  /// Whether stores of some of its versions can be recognised.
  public var knowsItsStores: Bool { models != nil }

  /// Whether stores of each of its versions can be recognised.
  public var knowsAllItsStores: Bool { models != nil && unread.isEmpty }

  /// A sentence for each fault, without a full stop, limited to a readable number.
  public var sentences: [String] {
    let all = faults.flatMap(\.sentences)
    return all.prefix(Self.shown)
      + (all.count > Self.shown ? ["and \(all.count - Self.shown) more: run “decant check \(path)”"] : [])
  }

  private static let shown = 20
}

extension BrokenFamily {
  /// A family that was read, but has mapping models whose content can't be read; `nil` if all content can be read.
  ///
  /// The family's memory keeps only the answer that all content can be read. Faults are searched for again each time,
  /// because a fault may come from a disk error that has passed.
  init?(unreadableContentOf family: Family) {
    let faults: [MappingModelError]
    do throws(UnreadableContent) {
      let look = { () throws(UnreadableContent) -> Bool in
        let faults = family.mappingModels.compactMap { FamilyReader.contentError($0.file.path) }
        guard faults.isEmpty else { throw UnreadableContent(faults: faults) }
        return true
      }
      if let memory = family.memory {
        _ = try memory.answer(to: ContentQuestion(), make: look)
      } else {
        _ = try look()
      }
      return nil
    } catch {
      faults = error.faults
    }
    self.init(
      name: family.name, path: family.place.url.path, faults: faults.map { .mappingModel($0) }, models: family,
      unread: [])
  }
}

/// The key of an answer in a family's memory: the content of all its mapping models can be read.
private struct ContentQuestion: Hashable, Sendable {}

private struct UnreadableContent: Error {
  let faults: [MappingModelError]
}

/// A family of a catalogue, usable or broken.
public enum FamilyState: Sendable {
  case ready(Family)
  case broken(BrokenFamily)

  public var name: String {
    switch self {
    case .ready(let family): family.name
    case .broken(let family): family.name
    }
  }
}
