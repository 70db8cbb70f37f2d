internal import DecantStore
internal import Synchronization

/// What was worked out for earlier stores of a family, which holds as long as the family's folder stays as it is.
///
/// Nothing of a store's rows is kept: each answer follows from the family and from what its key names.
final class FamilyMemory: Sendable {
  /// How many answers are kept; a family's stores are mostly of few versions.
  private static let most = 64

  private struct State {
    var answers: [AnyHashable: any Sendable] = [:]
  }

  private let state = Mutex(State())

  /// The answer to a question that was asked before, or the one that is made now.
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

  /// `@unchecked Sendable`: what it was made of is.
  private struct Key: @unchecked Sendable {
    let value: AnyHashable

    init(_ question: some Hashable & Sendable) { value = AnyHashable(question) }
  }
}

/// The questions that a family's memory answers.
enum FamilyQuestion {
  /// What a store is like but for its rows.
  struct Store: Hashable, Sendable {
    let version: Int
    /// The name under which the version is seen.
    let name: String
    let framework: FrameworkVersion
    let schema: SchemaEvidence
    let leadingColumns: [String: Set<String>]

    /// Without the schema's names, of which there are many; few stores are alike but for them.
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
