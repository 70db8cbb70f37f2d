internal import Foundation

/// `sha256`, `hash64`: hashes of a text's UTF-8 bytes, or of data.
enum Hashing {
  static let functions: [LibraryFunction] = [
    LibraryFunction("sha256", [.init("value", .bytes)], gives: .text) { call throws(EvaluationError) in
      let digits = Array("0123456789abcdef".utf8)
      let hex = MessageDigest.sha256(bytes(call)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return .string(String(decoding: hex, as: UTF8.self))
    },
    LibraryFunction("hash64", [.init("value", .bytes)], gives: .number) { call throws(EvaluationError) in
      .integer(
        Int64(
          bitPattern: MessageDigest.sha256(bytes(call)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    },
  ]

  private static func bytes(_ call: LibraryCall) -> [UInt8] {
    if case .data(let data) = call.value(0) { Array(data) } else { Array(call.text(0).utf8) }
  }
}
