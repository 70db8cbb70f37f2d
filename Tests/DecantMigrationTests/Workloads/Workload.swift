import DecantMigration
import DecantModel
import DecantPolicies
import Foundation

@testable import bench_worker

/// The workloads of `scripts/bench` that aren't inferred steps.
///
/// Each exists with expressions, with policies and in SQL.
enum Workload: String, CaseIterable, Sendable, CustomStringConvertible {
  case notes, contacts, events, graph

  var description: String { rawValue }
  var family: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  private static let bench = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../scripts/bench.d").standardizedFileURL

  /// The ways through the engine.
  enum Way: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Expressions over sets of rows.
    case sets
    /// The same expressions row by row.
    case rows
    /// A policy for each row.
    case policies

    var description: String { rawValue }
  }

  func catalogue(_ way: Way) -> URL {
    Self.bench.appendingPathComponent(way == .policies ? "policies" : "catalogue")
  }

  func model(_ version: Int) throws -> ManagedObjectModel {
    let name = version == 1 ? family : "\(family) 2"
    let folder = Self.bench.appendingPathComponent(
      "catalogue/\(family)/\(family).xcdatamodeld/\(name).xcdatamodel")
    return try ModelBundle.read(at: folder).currentVersion().model
  }

  static let registry: PolicyRegistry = {
    var registry = PolicyRegistry()
    for policy in BenchWorker.policies { registry.add(policy) }
    return registry
  }()

  /// The text of the hand-written SQL for a source.
  func script(for source: URL) throws -> String {
    try ["head", rawValue].map {
      try String(contentsOf: Self.bench.appendingPathComponent("sql/\($0).sql"), encoding: .utf8)
    }.joined().replacing("SOURCE", with: source.path) + "COMMIT;"
  }

  /// The column whose value identifies an object, by entity.
  ///
  /// Objects of other entities are identified by their source objects.
  var tellingColumns: [String: String] { self == .notes ? ["Categoria": "ZNOMBRE"] : [:] }
}
