package import Foundation

/// Values as single lines of JSON, the format of the worker protocol.
package enum JSONLine {
  /// The value's line with its newline.
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = try encoder.encode(value)
    line.append(0x0A)
    return line
  }

  /// The value of a line without its newline.
  package static func decode<Value: Decodable>(_ type: Value.Type, from line: Data) throws -> Value {
    try JSONDecoder().decode(type, from: line)
  }
}
