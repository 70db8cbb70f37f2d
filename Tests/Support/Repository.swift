public import Foundation

/// The checkout that the tests are built from.
public enum Repository {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built programs, which also has the running test program.
  public static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The path of a built program.
  public static func program(_ name: String) -> String { programs.appendingPathComponent(name).path }

  /// The content of a text file.
  ///
  /// - Parameter path: Relative to the root.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
