import DecantTransformers
import Foundation
import Testing

/// Stores a number as one byte and reads its double; no test registers this transformer.
final class NeverRegisteredTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { Data([UInt8($0)]) } }
  override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data)?.first.map { Int($0) * 2 } }
}

/// Makes a string of any value, and has no reverse transformation.
private final class OneWayTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { value.map { "\($0)" } }
}

@Suite("Value transformers by their names")
struct ValueTransformerTests {
  @Test("a transformer is found while it is registered")
  func registered() throws {
    let name = ValueTransformerName("OneWay \(UUID())")
    #expect(ValueTransformer(forName: name) == nil)
    let own = OneWayTransformer()
    ValueTransformer.setValueTransformer(own, forName: name)
    #expect(ValueTransformer(forName: name) === own)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    #expect(SecureUnarchiveTransformer(forName: name) == nil)
    #expect(own.transformedValue(1) as? String == "1" && own.reverseTransformedValue("1") == nil)
    let attribute = TransformedAttribute("A.b", transformer: name.rawValue)
    #expect(throws: TransformProblem.self) { try attribute.value(of: Data([1])) }
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
  }

  @Test(
    "a transformer class of the program is found by its name, without being registered",
    arguments: ["", "App."])
  func byClass(module: String) throws {
    let attribute = TransformedAttribute("A.c", transformer: "\(module)NeverRegisteredTransformer")
    #expect(try attribute.bytes(of: 4) == Data([4]))
    #expect(try attribute.value(of: Data([4])) as? Int == 8)
    let name = ValueTransformerName("\(module)NeverRegisteredTransformer")
    #expect(ValueTransformer(forName: name) is NeverRegisteredTransformer)
  }

  @Test("the system's transformers are found by their names")
  func system() throws {
    func transformer(_ name: ValueTransformerName) throws -> ValueTransformer {
      try #require(ValueTransformer(forName: name))
    }
    #expect(try transformer(.negateBooleanTransformerName).transformedValue(true) as? Bool == false)
    #expect(try transformer(.negateBooleanTransformerName).reverseTransformedValue(false) as? Bool == true)
    #expect(try transformer(.isNilTransformerName).transformedValue(nil) as? Bool == true)
    #expect(try transformer(.isNotNilTransformerName).transformedValue(nil) as? Bool == false)
    #expect(ValueTransformer(forName: .unarchiveFromDataTransformerName) == nil)
    for name in [
      ValueTransformerName.secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
    ] {
      let data = try transformer(name).reverseTransformedValue(["a"])
      #expect(try transformer(name).transformedValue(data) as? [String] == ["a"])
      #expect(try transformer(name).transformedValue(Data([1])) == nil)
      #expect(try transformer(name).reverseTransformedValue(NSObject()) == nil)
    }
  }
}
