internal import Foundation

/// The keys of `report.json` and `reason.json` that the commands need.
struct JobPaper: Sendable, Hashable, Decodable {
  var drop: String?
  var job: String?
  var reason: String?
  var message: String?
  var advice: String?
  var coreDataCode: Int?

  init?(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let paper = try? JSONDecoder().decode(Self.self, from: data)
    else { return nil }
    self = paper
  }
}
