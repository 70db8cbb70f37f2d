import Foundation
import Glibc

/// Users of a spool, for tests that run as root: the daemon's user, and two users who may drop.
enum Person: UInt32, CaseIterable {
  case daemon = 42_000
  case ana = 42_101
  case eva = 42_102

  /// The group of the users who may drop.
  static let droppers: gid_t = 42_100

  static let canBe = geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0
  static let skipped = "Skipped: only root, with setpriv of util-linux, can run programs as several users."

  /// The command that runs a program with its arguments as this user.
  func command(_ words: [String]) -> [String] {
    [
      "/usr/bin/setpriv", "--reuid=\(rawValue)", "--regid=\(rawValue)", "--groups=\(Self.droppers)",
      "--inh-caps=-all",
    ] + words
  }

  /// Runs a program as this user and waits for it.
  @discardableResult
  func run(_ words: [String]) throws -> (code: Int32, output: String, messages: String) {
    try Tool.separate(command(words))
  }

  /// Whether the last command of a shell script, run as this user, exits with 0.
  func can(_ script: String) throws -> Bool { try run(["/bin/sh", "-c", script]).code == 0 }

  /// Gives a file or folder, with everything below, to this user.
  func own(_ path: String) throws {
    chown(path, rawValue, rawValue)
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
      lchown("\(path)/\(name)", rawValue, rawValue)
    }
  }
}
