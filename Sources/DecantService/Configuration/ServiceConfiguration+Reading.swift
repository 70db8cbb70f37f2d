internal import DecantModel
package import Foundation
internal import Glibc

extension ServiceConfiguration {
  /// Reads a configuration file.
  package static func read(file: String) throws(ConfigurationError) -> ServiceConfiguration {
    let absolute = absolutePath(file, base: FileManager.default.currentDirectoryPath)
    let folder: FolderHandle
    let data: Data?
    do throws(FileFailure) {
      folder = try FolderHandle(path: (absolute as NSString).deletingLastPathComponent)
    } catch {
      if error.isDenied { throw .unreadable(file: absolute, reason: error.description) }
      throw .missing(file: absolute)
    }
    do throws(FileFailure) {
      data = try folder.read((absolute as NSString).lastPathComponent, limit: 1 << 20, following: true)
    } catch {
      throw .unreadable(file: absolute, reason: error.description)
    }
    guard let data else { throw .missing(file: absolute) }
    return try read(data, file: absolute)
  }

  /// Reads a configuration's text.
  ///
  /// `file` is for messages and relative paths.
  package static func read(_ data: Data, file: String) throws(ConfigurationError) -> ServiceConfiguration {
    let values: [String: JSON5Value]
    do throws(JSON5Problem) {
      guard let object = try JSON5Value.parse(data).object else {
        throw JSON5Problem("it has to be one object { … }")
      }
      values = object
    } catch {
      throw .syntax(file: file, reason: error.description)
    }
    var configuration = ServiceConfiguration()
    configuration.file = file
    let base = (file as NSString).deletingLastPathComponent
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let key = ConfigurationKey.named(name) else {
        throw .unknownKey(file: file, key: name, nearest: nearest(to: name))
      }
      try configuration.take(value, for: key, file: file, base: base)
      configuration.given.insert(name)
    }
    return configuration
  }

  private mutating func take(
    _ value: JSON5Value, for key: ConfigurationKey, file: String, base: String
  ) throws(ConfigurationError) {
    switch (key.form, value) {
    case (.path, .string(let path)) where !path.isEmpty && !path.contains("\0"),
      (.optionalPath, .string(let path)) where !path.isEmpty && !path.contains("\0"):
      set(key.name, path: Self.absolutePath(path, base: base))
    case (.optionalPath, .null): break
    case (.count(let range), .integer(let count)) where range.contains(count): set(key.name, count: count)
    case (.seconds(let range), .integer(let number)) where range.contains(Double(number)),
      (.factor(let range), .integer(let number)) where range.contains(Double(number)):
      set(key.name, number: Double(number))
    case (.seconds(let range), .number(let number)) where range.contains(number),
      (.factor(let range), .number(let number)) where range.contains(number):
      set(key.name, number: number)
    case (.word(let words), .string(let word)) where words.contains(word) && set(key.name, text: word): break
    case (.user, .string(let text)) where set(key.name, text: text),
      (.group, .string(let text)) where set(key.name, text: text),
      (.mode, .string(let text)) where set(key.name, text: text):
      break
    case (.user, .null), (.group, .null), (.mode, .null): break
    case (.program, .null): break
    case (.program, .array(let values)):
      let words = values.compactMap(\.string)
      guard words.count == values.count, words.first?.hasPrefix("/") == true,
        words.allSatisfy({ !$0.contains("\0") })
      else { throw .wrongValue(file: file, key: key.name, value: value.words, expected: key.expectation) }
      set(key.name, program: words)
    default:
      throw .wrongValue(file: file, key: key.name, value: value.words, expected: key.expectation)
    }
  }

  /// The path, made absolute; the kernel resolves `.` and `..`.
  static func absolutePath(_ path: String, base: String) -> String {
    path.hasPrefix("/") ? path : (base as NSString).appendingPathComponent(path)
  }

  /// The setting whose name differs by less than three letters.
  private static func nearest(to name: String) -> String? {
    ConfigurationKey.all.map { ($0.name, EditDistance.between($0.name.lowercased(), name.lowercased())) }
      .filter { $0.1 < 3 }.min { $0.1 < $1.1 }?.0
  }
}

extension ConfigurationKey {
  /// A description of a valid value.
  var expectation: String {
    switch form {
    case .path: "a path in quotes"
    case .optionalPath: "a path in quotes, or null"
    case .count(let range):
      range.upperBound == Int.max
        ? "a whole number from \(range.lowerBound)"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let range): "a number of seconds from \(range.lowerBound) to \(range.upperBound)"
    case .factor(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .user: "the name or number of a user of this machine in quotes, or null"
    case .group: "the name or number of a group of this machine in quotes, or null"
    case .mode: "a mode in quotes, from \"0400\" to \"0666\" without the right to execute, or null"
    case .program: "a list of texts that begins with the absolute path of a program, or null"
    case .word(let words): words.map { "“\($0)”" }.joined(separator: " or ")
    }
  }
}
