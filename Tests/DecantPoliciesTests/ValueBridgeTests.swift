import Foundation
import PredicateFormat
import Testing

@testable import DecantPolicies

/// Values that policies give as `Any`.
@Suite("Policies: values that they give") struct ValueBridgeTests {
  private static let moment = Date(timeIntervalSinceReferenceDate: 1.5)
  private static let uuid = UUID()

  private static var given: [(any: Any?, value: Value?)] {
    [
      (nil, .null), (NSNull(), .null), ("short", .string("short")),
      (String(repeating: "long ", count: 40), .string(String(repeating: "long ", count: 40))),
      ("", .string("")),
      ("ein Wort mehr"[...].description, .string("ein Wort mehr")), (7, .integer(7)),
      (Int64.min, .integer(.min)),
      (Int16(-3), .integer(-3)), (UInt64.max, .decimal(Decimal(UInt64.max))), (0.25, .double(0.25)),
      (Float(0.5), .double(0.5)), (true, .boolean(true)), (moment, .date(1.5)),
      (NSNumber(value: 5), .integer(5)), (NSNumber(value: 0.5), .double(0.5)),
      (NSNumber(value: false), .boolean(false)),
      (NSDecimalNumber(string: "1.10"), .decimal(Decimal(string: "1.1") ?? 0)),
      (NSDecimalNumber(string: "1.10") as NSNumber, .decimal(Decimal(string: "1.1") ?? 0)),
      (Decimal(3), .decimal(3)), (uuid, .uuid(uuid)), (Data([1, 2]), .data(Data([1, 2]))),
      (URL(string: "http://example.com/a"), .url("http://example.com/a")), ([1], nil), (Self.self, nil),
    ]
  }

  @Test("each value keeps its kind, also in an optional") func values() {
    for (any, value) in Self.given {
      #expect(ValueBridge.value(of: any) == value, "\(String(describing: any))")
      let wrapped: Any?? = any
      #expect(ValueBridge.value(of: wrapped as Any) == value, "\(String(describing: any))")
    }
  }

  @Test("optionals of several types keep their value's kind") func optionals() {
    let (text, none): (String?, String?) = ("a", nil)
    let (number, date): (Int?, Date?) = (4, Self.moment)
    #expect(ValueBridge.value(of: text) == .string("a"))
    #expect(ValueBridge.value(of: none) == .null)
    #expect(ValueBridge.value(of: none as Any) == .null)
    #expect(ValueBridge.value(of: number as Any) == .integer(4))
    #expect(ValueBridge.value(of: date as Any) == .date(1.5))
  }

  @Test("reading a value doesn't change its reference count") func counted() {
    final class Held {}
    let text = String(repeating: "x", count: 100) + "\(ObjectIdentifier(Held()))"
    let boxed: Any = text
    for _ in 0..<1_000 { #expect(ValueBridge.value(of: boxed) == .string(text)) }
    let number = NSNumber(value: 123_456_789_012)
    let before = references(number)
    for _ in 0..<1_000 { #expect(ValueBridge.value(of: number) == .integer(123_456_789_012)) }
    #expect(references(number) == before)
  }

  private func references(_ number: NSNumber) -> UInt { _getRetainCount(number) }
}
