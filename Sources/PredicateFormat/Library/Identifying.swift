internal import Foundation

/// `uuid`, `stableUUID`, `parseUUID`: identifiers that stay the same when a job is resumed.
///
/// `uuid` and `stableUUID` give UUIDs of version 5 (RFC 9562): the SHA-1 of a namespace and a name.
enum Identifying {
  /// Decant's own namespace, chosen at random once.
  private static let namespace: [UInt8] = [
    0x6d, 0x0f, 0x2b, 0x4e, 0x93, 0x1a, 0x4c, 0x57, 0x8e, 0x21, 0x5b, 0xc4, 0xd7, 0x38, 0xf6, 0x0a,
  ]

  static let functions: [LibraryFunction] = [
    LibraryFunction("uuid", [], rest: .init("value", .plain, takesNil: true), gives: .uuid, ofRow),
    LibraryFunction(
      "stableUUID", [.init("value", .plain, takesNil: true)], rest: .init("value", .plain, takesNil: true),
      gives: .uuid
    ) { call throws(EvaluationError) in
      if call.arguments.allSatisfy(LibraryCall.isNil) { return .null }
      return uuid(call.arguments.count == 1 ? bytes(call.value(0)) : joined(call.arguments))
    },
    LibraryFunction("parseUUID", [.init("text", .text)], gives: .uuid, nilFor: .otherForm) {
      call throws(EvaluationError) in
      UUID(uuidString: call.text(0)).map(Value.uuid) ?? .null
    },
  ]

  /// An identifier for each combination of job, source object and values.
  private static func ofRow(_ call: LibraryCall) throws(EvaluationError) -> Value {
    let context = call.context
    guard case .object(let source) = context.variables["source"] ?? context.object,
      case .row(let space, let key) = source.object.identity
    else { throw EvaluationError(.unsupported("uuid() without a source object")) }
    return uuid(joined([.string(context.job), .string(space), .integer(key)] + call.arguments))
  }

  private static func uuid(_ name: [UInt8]) -> Value {
    var bytes = MessageDigest.sha1(namespace + name)
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  /// The values in order, each with its length before it, so that “ab”, “c” differs from “a”, “bc”.
  private static func joined(_ values: [Value]) -> [UInt8] {
    values.flatMap { value in
      if LibraryCall.isNil(value) { return Array("-,".utf8) }
      let bytes = bytes(value)
      return Array("\(bytes.count):".utf8) + bytes + [UInt8(ascii: ",")]
    }
  }

  private static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text), .url(let text): Array(text.utf8)
    case .data(let data): Array(data)
    case .uuid(let uuid): Array(uuid.uuidString.utf8)
    case .date(let seconds): Array(Number.double(seconds).text.utf8)
    default: Array((Number(value)?.text ?? "").utf8)
    }
  }
}
