/// The paths from one version to another through mapping models.
///
/// A path is a list of legs. A leg is a pair of versions with mapping models or inferred steps between them. An
/// inferred leg is not allowed where mapping models could replace it, so that no path bypasses a mapping model.
final class MappingPaths {
  enum Leg: Hashable {
    case mappingModels(source: Int, destination: Int)
    case inferred(source: Int, destination: Int)

    var destination: Int {
      switch self {
      case .mappingModels(_, let destination), .inferred(_, let destination): destination
      }
    }

    var isInferred: Bool { if case .inferred = self { true } else { false } }
  }

  /// A pair of versions that has mapping models.
  struct Edge: Hashable {
    let source: Int
    let destination: Int
  }

  /// Which mapping models are considered.
  enum Scope: Hashable {
    /// Mapping models that certainly lie between the ends.
    case certain
    /// Also mapping models that possibly lie between the ends.
    case possible
  }

  private struct Question: Hashable {
    let source: Int
    let destination: Int
    let scope: Scope
  }

  /// The search needs one path, and a second one to refuse both.
  private static let enough = 2
  private static let budget = 5_000

  private let edges: [Edge]
  private let order: VersionOrder
  private let chains: InferredChains
  private var answers: [Question: [[Leg]]] = [:]
  private var asked: Set<Question> = []
  private var work = 0

  init(edges: [Edge], order: VersionOrder, chains: InferredChains) {
    self.edges = edges
    self.order = order
    self.chains = chains
  }

  /// Whether the search was stopped at its limit, so that its answers can't be trusted.
  var isExhausted: Bool { work > Self.budget }

  /// Up to two paths with at least one mapping model.
  func ways(from source: Int, to destination: Int, scope: Scope) -> [[Leg]] {
    let question = Question(source: source, destination: destination, scope: scope)
    if let known = answers[question] { return known }
    guard asked.insert(question).inserted else { return [] }
    defer { asked.remove(question) }
    let relevant = edges.filter { lies($0, on: question) }
    var found: [[Leg]] = []
    if !relevant.isEmpty {
      extend([], at: source, visited: [source], to: question, relevant, into: &found)
    }
    answers[question] = found
    return found
  }

  private func extend(
    _ way: [Leg], at version: Int, visited: Set<Int>, to question: Question, _ relevant: [Edge],
    into found: inout [[Leg]]
  ) {
    work += 1
    guard found.count < Self.enough, !isExhausted else { return }
    if version == question.destination {
      if way.contains(where: { !$0.isInferred }), !found.contains(way) { found.append(way) }
      return
    }
    for edge in relevant where edge.source == version && !visited.contains(edge.destination) {
      extend(
        way + [.mappingModels(source: version, destination: edge.destination)], at: edge.destination,
        visited: visited.union([edge.destination]), to: question, relevant, into: &found)
    }
    guard way.last?.isInferred != true else { return }
    var stops = Set(relevant.map(\.source)).subtracting(visited)
    if !way.isEmpty { stops.insert(question.destination) }
    for stop in stops.sorted() where canInfer(from: version, to: stop, on: question) {
      extend(
        way + [.inferred(source: version, destination: stop)], at: stop, visited: visited.union([stop]),
        to: question, relevant, into: &found)
    }
  }

  private func canInfer(from source: Int, to destination: Int, on question: Question) -> Bool {
    relation(of: destination, to: source, on: question) != .before
      && chains.chain(from: source, to: destination) != nil
      && ways(from: source, to: destination, scope: question.scope).isEmpty
  }

  /// Whether an edge lies between the ends, as far as is known.
  private func lies(_ edge: Edge, on question: Question) -> Bool {
    let (source, destination) = (question.source, question.destination)
    guard edge.destination != source, edge.source != destination else { return false }
    let starts = edge.source == source ? .before : relation(of: source, to: edge.source, on: question)
    let ends =
      edge.destination == destination ? .before : relation(of: edge.destination, to: destination, on: question)
    guard starts != .after, ends != .after, relation(of: edge.source, to: destination, on: question) != .after,
      relation(of: edge.destination, to: source, on: question) != .before
    else { return false }
    return question.scope == .possible || (starts == .before && ends == .before)
  }

  private func relation(of left: Int, to right: Int, on question: Question) -> VersionOrder.Relation {
    order.relation(of: left, to: right, from: question.source, to: question.destination)
  }
}
