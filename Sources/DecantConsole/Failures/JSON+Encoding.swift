internal import Foundation

extension JSON: Decodable {
  package init(encoding value: some Encodable) throws(CommandFailure) {
    do {
      self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    } catch {
      throw CommandFailure(.fault, "The result can't be written as JSON: \(error).")
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }
}
