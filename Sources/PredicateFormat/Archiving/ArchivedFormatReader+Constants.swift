internal import Foundation
internal import KeyedArchive

extension ArchivedFormatReader {
  mutating func constant(_ node: ArchiveNode) throws(ArchiveError) -> Expression {
    if let name = try node.string("NSConstantValueClassName") { return .constant(.className(name)) }
    guard let kept = try node.member("NSConstantValue") else { return .constant(.null) }
    return .literal(try value(kept, depth: 0))
  }

  private mutating func value(_ node: ArchiveNode, depth: Int) throws(ArchiveError) -> Value {
    guard depth <= FormatLimits.maximumDepth / 2 else { throw .tooDeep(limit: FormatLimits.maximumDepth) }
    try allowance.spend(1)
    switch node.plain {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .unsigned(let number): return .decimal(Decimal(number))
    case .real(let number): return .double(number)
    case .single(let number): return .double(Double(number))
    default: break
    }
    if let text = node.string { return .string(text) }
    if let seconds = node.date { return .date(seconds) }
    if let decimal = node.decimal { return .decimal(decimal) }
    if let data = node.data { return .data(data) }
    if let uuid = node.uuid { return .uuid(uuid) }
    if let url = node.url { return .url(url) }
    switch node.className {
    case "NSNull": return .null
    case "NSArray", "NSMutableArray", "NSOrderedSet", "NSMutableOrderedSet":
      return .array(try values(node, depth: depth))
    case "NSSet", "NSMutableSet": return .set(Distinct.members(try values(node, depth: depth)))
    default: throw .unknownClass(node.className ?? node.kind, expected: "a constant that text can express")
    }
  }

  private mutating func values(_ node: ArchiveNode, depth: Int) throws(ArchiveError) -> [Value] {
    var values: [Value] = []
    for element in try node.elements(&allowance) { values.append(try value(element, depth: depth + 1)) }
    return values
  }
}
