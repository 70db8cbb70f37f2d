internal import DecantCatalogue
internal import DecantConsole
internal import DecantModel
internal import Foundation

extension CompletionQuestion {
  private static let most = 1000

  /// Words with control characters are left out, because each word is a line of the answer.
  func words(_ arguments: Arguments) -> [String] {
    let found: [String]
    switch self {
    case .families: found = Self.catalogue(arguments)?.names ?? []
    case .versions: found = Self.catalogue(arguments)?.families.flatMap { $0.versions.map(\.name) } ?? []
    case .activeJobs: found = Self.active(arguments)
    case .failedJobs: found = Self.ended(arguments, ["failed"])
    case .endedJobs: found = Self.ended(arguments, ["done", "failed"])
    case .jobs: found = Self.active(arguments) + Self.ended(arguments, ["done", "failed"])
    }
    return Array(Set(found).filter(Self.isOneLine).sorted(by: NameOrder.codePoints).prefix(Self.most))
  }

  private static func isOneLine(_ word: String) -> Bool {
    !word.isEmpty && word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func catalogue(_ arguments: Arguments) -> Catalogue? {
    guard let path = arguments.value("models") ?? (try? DaemonPlace(arguments))?.catalogue else { return nil }
    return try? Catalogue.read(at: URL(fileURLWithPath: path), family: arguments.value("family"))
  }

  private static func active(_ arguments: Arguments) -> [String] {
    guard let place = try? DaemonPlace(arguments), let status = try? client(of: place).status().values else {
      return []
    }
    let jobs =
      (status.running ?? []).map { ($0.job, $0.drop) } + (status.waiting ?? []).map { ($0.job, $0.drop) }
      + (status.queued ?? []).map { ($0.job, $0.drop) }
    return jobs.flatMap { [$0.0, $0.1 ?? ""] }
  }

  private static func client(of place: DaemonPlace) -> HealthClient {
    var client = HealthClient(path: place.socket)
    // A person has pressed a key and waits for the words, so the daemon gets only a second.
    client.patience = 1
    return client
  }

  private static func ended(_ arguments: Arguments, _ places: [String]) -> [String] {
    guard let place = try? DaemonPlace(arguments),
      let spool = try? place.spool(arguments, asking: client(of: place))
    else { return [] }
    return places.flatMap { place in
      (try? FileManager.default.contentsOfDirectory(atPath: "\(spool)/\(place)")) ?? []
    }.filter { !$0.hasPrefix(".") }
  }
}
