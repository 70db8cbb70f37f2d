import Foundation
import Testing

@testable import DecantMigration

extension FamilyReader {
  /// The family; what is wrong with it else.
  func read() throws -> Family {
    switch state() {
    case .ready(let family): return family
    case .broken(let broken): throw broken.faults[0]
    }
  }
}

/// The genuine models beside the package, where they are.
enum Fixtures {
  /// `../shared/fixtures`, or `nil`.
  static let folder: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static let absence: Comment = "The genuine stores and models (../shared/fixtures) aren't beside the package."

  static func family(_ name: String, of set: String = "stores") throws -> Family {
    let url = try #require(folder).appendingPathComponent("\(set)/\(name)")
    return try FamilyReader(name: name, folder: url).read()
  }
}
