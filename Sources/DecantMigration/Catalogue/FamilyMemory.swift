internal import DecantStore
internal import Synchronization

/// Cached answers for earlier stores of a family, valid while the family's folder is unchanged.
///
/// Nothing about a store's rows is kept: each answer follows from the family and its key.
final class FamilyMemory: Sendable {
  /// The number of kept answers; a family's stores mostly have few versions.
  private static let most = 64

  private struct State {
    var answers: [AnyHashable: any Sendable] = [:]
  }

  private let state = Mutex(State())

  /// The cached answer to a question, or a new one.
  func answer<Answer: Sendable, Failure: Error>(
    to question: some Hashable & Sendable, make: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let key = Key(question)
    if let known = state.withLock({ $0.answers[key.value] }) as? Answer { return known }
    let made = try make()
    state.withLock { state in
      if state.answers.count >= Self.most { state.answers = [:] }
      state.answers[key.value] = made
    }
    return made
  }

  /// `@unchecked Sendable`: the value that it wraps is `Sendable`.
  private struct Key: @unchecked Sendable {
    let value: AnyHashable

    init(_ question: some Hashable & Sendable) { value = AnyHashable(question) }
  }
}

/// The questions that a family's memory caches.
enum FamilyQuestion {
  /// Everything about a store except its rows.
  struct Store: Hashable, Sendable {
    let version: Int
    /// The name that is used for the version.
    let name: String
    let framework: FrameworkVersion
    let schema: SchemaEvidence
    let leadingColumns: [String: Set<String>]

    /// Doesn't hash the schema's many names; few stores differ only in them.
    func hash(into hasher: inout Hasher) {
      hasher.combine(version)
      hasher.combine(name)
      hasher.combine(framework)
      hasher.combine(schema.tables.count)
    }
  }

  struct SourceLayout: Hashable, Sendable {
    let store: Store
  }

  struct DestinationLayout: Hashable, Sendable {
    let store: Store
    let version: Int
    let name: String
  }

  struct Target: Hashable, Sendable {
    let source: Int
    let name: String
    let wanted: String?
  }

  struct Path: Hashable, Sendable {
    let source: Int
    let sourceName: String
    let target: Int
    let targetName: String
    let isRewrite: Bool
  }

  struct ModelCache: Hashable, Sendable {
    let layout: DestinationLayout
  }

  struct Displaced: Hashable, Sendable {
    let path: Path
    let store: Store
    let step: Int
  }

  struct Unread: Hashable, Sendable {
    let path: Path
    let step: Int
  }

  struct Fileless: Hashable, Sendable {
    let path: Path
    let store: Store
  }

  struct Program: Hashable, Sendable {
    let path: Path
    let store: Store
    let step: Int
  }
}
