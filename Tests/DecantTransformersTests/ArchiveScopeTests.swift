import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantTransformers

/// A class of an app, whose objects are archived.
final class Sello: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) { coder.encode(1, forKey: "uno") }
}

/// A second class, whose class name in archives the program sets.
final class Timbre: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

/// A third class, which has another class name in archives.
final class Marca: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

@Suite("Class names from a store's archives are used only for that store")
struct ArchiveScopeTests {
  private func attribute(_ scope: ArchiveScope = ArchiveScope()) -> TransformedAttribute {
    TransformedAttribute("Nota.valor", transformer: nil, scope: scope)
  }

  private func archive(_ className: String) -> Data { ArchivedValues.archive { $0.add(className, [:]) } }

  private func names(_ data: Data) throws -> [String] { try Archive(parsing: data).root().classNames }

  @Test("an object is written with the class names with which it was read")
  func names() throws {
    let (one, other) = (attribute(), attribute())
    let first = try #require(try one.value(of: archive("Diario.Sello")))
    let second = try #require(try other.value(of: archive("Notas.Sello")))
    #expect(try names(one.bytes(of: first)) == ["Diario.Sello", "NSObject"])
    #expect(try names(other.bytes(of: second)) == ["Notas.Sello", "NSObject"])
    // A new object gets the class name from its own store's archives.
    #expect(try names(one.bytes(of: Sello())) == ["Diario.Sello", "NSObject"])
    #expect(try names(other.bytes(of: Sello())) == ["Notas.Sello", "NSObject"])
    let unread = #expect(throws: TransformProblem.self) { try attribute().bytes(of: Sello()) }
    #expect("\(unread as Any)".contains("the name of the class Sello in the app isn't known"))
    let mixed = try #require(try one.value(of: archive("Notas.Sello")))
    #expect(try names(one.bytes(of: mixed)) == ["Notas.Sello", "NSObject"])
  }

  /// A transformer in the usual form of apps, which gives nil as its only way to fail.
  private final class SelloTransformer: SecureUnarchiveTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Sello.self] }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
      value as? String == "nil" ? nil : super.reverseTransformedValue(value)
    }
  }

  @Test("a subclass of the secure transformer gives the same advice about a class without a name")
  func advice() throws {
    ValueTransformer.setValueTransformer(
      SelloTransformer(), forName: ValueTransformerName(rawValue: "ScopeSelloTransformer"))
    let attribute = TransformedAttribute("Nota.sello", transformer: "ScopeSelloTransformer")
    let error = #expect(throws: TransformProblem.self) { try attribute.bytes(of: Sello()) }
    #expect(
      "\(error as Any)".contains(
        "NSSecureUnarchiveFromDataTransformer.setClassName(\"Module.Class\", for: Sello.self)"),
      "\(error as Any)")
    // If the transformer itself gives nil, the reason of an earlier failure isn't repeated.
    let own = #expect(throws: TransformProblem.self) { try attribute.bytes(of: "nil") }
    #expect("\(own as Any)".contains("made nil of String"), "\(own as Any)")
  }

  @Test("a class name that the program sets is used for every store")
  func set() throws {
    SecureUnarchiveTransformer.setClassName("Cartas.Timbre", for: Timbre.self)
    #expect(try names(attribute().bytes(of: Timbre())) == ["Cartas.Timbre", "NSObject"])
    let read = try #require(try attribute().value(of: archive("Otra.Timbre")))
    #expect(try names(attribute().bytes(of: read)) == ["Cartas.Timbre", "NSObject"])
  }

  @Test(
    "an object whose list of classes is empty or another class's comes as Data", arguments: [[], ["Otra.Cosa"]])
  func falseNames(list: [String]) throws {
    var table = ArchiveTable()
    let description = table.place(
      .dictionary([
        "$classname": .string("Diario.Sello"), "$classes": .array(list.map { .string($0) }),
      ]))
    let root = table.place(.dictionary(["$class": description]))
    let data = table.list(root: root).binaryData()
    let keyed = attribute()
    #expect(try keyed.value(of: data) as? Data == data)
    #expect(try keyed.bytes(of: data) == data)
    #expect(throws: TransformProblem.self) { try keyed.bytes(of: Sello()) }
  }

  @Test("unreadable data are written back as they are; equal data of another store are archived")
  func given() throws {
    let strange = Data([1, 2, 3])
    let (one, other) = (attribute(), attribute())
    #expect(try one.value(of: strange) as? Data == strange)
    #expect(try one.bytes(of: strange) == strange)
    #expect(try one.bytes(of: Data([4])) != Data([4]))
    let archived = try other.bytes(of: strange)
    #expect(archived != strange)
    #expect(try other.value(of: archived) as? Data == strange)
  }

  @Test("new Data with the same bytes as an unreadable value are archived; the value itself isn't")
  func untaken() throws {
    let scope = ArchiveScope()
    let keyed = attribute(scope)
    for strange in [Data([1, 2, 3]), Data(), Data(repeating: 7, count: 5000)] {
      let given = try #require(try keyed.value(of: strange))
      #expect(try keyed.bytes(of: strange) != strange)
      scope.beginObject()
      #expect(try keyed.bytes(of: strange) != strange)
      #expect(try keyed.bytes(of: given) == strange)
    }
    // A value without its transformer is unreadable, too.
    let foreign = TransformedAttribute("Nota.ajeno", transformer: "NoSuchTransformer", scope: scope)
    let given = try #require(try foreign.value(of: Data([8])))
    #expect(try keyed.bytes(of: given) == Data([8]))
    #expect(try foreign.bytes(of: given) == Data([8]))
    #expect(try keyed.bytes(of: Data([9])) != Data([9]))
  }

  @Test("a copy of an unreadable value is written back for the same object, and refused for a later object")
  func taken() throws {
    let scope = ArchiveScope()
    let keyed = attribute(scope)
    for strange in [Data([1, 2, 3]), Data()] {
      let given = try #require(try keyed.value(of: strange))
      #expect(given as? Data == strange)
      #expect(try keyed.bytes(of: Data(Array(strange))) == strange)
      scope.beginObject()
      let problem = #expect(throws: TransformProblem.self) { try keyed.bytes(of: strange) }
      #expect("\(problem as Any)".contains("equal the stored bytes of another object's unreadable value"))
      #expect(try keyed.bytes(of: given) == strange)
      // The value is read again for the later object.
      #expect(try keyed.value(of: strange) as? Data == strange)
      #expect(try keyed.bytes(of: strange) == strange)
    }
  }

  @Test("a new object gets its class name from the store's archives, even if no value was read")
  func searched() throws {
    let scope = ArchiveScope()
    var searches = 0
    scope.archives = { body in
      searches += 1
      for data in [
        Data([1]), archive("Diario.Nada"),
        ArchivedValues.archive { writer in
          writer.array([writer.add("Diario.Sello", [:])])
        }, archive("Notas.Sello"),
      ] where !body(data) { return }
    }
    let keyed = attribute(scope)
    #expect(try names(keyed.bytes(of: Sello())) == ["Diario.Sello", "NSObject"])
    #expect(try names(keyed.bytes(of: Sello())) == ["Diario.Sello", "NSObject"] && searches == 1)
    for _ in 1...2 { #expect(throws: TransformProblem.self) { try keyed.bytes(of: Marca()) } }
    #expect(searches == 2)
  }

  @Test("a class that the app has given NSKeyedUnarchiver for another name is found, read and written")
  func renamed() throws {
    let data = archive("Notas.MarcaVieja")
    #expect(try attribute().value(of: data) is Data)
    NSKeyedUnarchiver.setClass(Marca.self, forClassName: "Notas.MarcaVieja")
    defer { NSKeyedUnarchiver.setClass(nil, forClassName: "Notas.MarcaVieja") }
    let keyed = attribute()
    let read = try #require(try keyed.value(of: data))
    #expect(read is Marca)
    #expect(try names(keyed.bytes(of: read)) == ["Notas.MarcaVieja", "NSObject"])
    #expect(try names(keyed.bytes(of: Marca())) == ["Notas.MarcaVieja", "NSObject"])
    let other = ArchiveScope()
    other.archives = { body in _ = body(data) }
    #expect(try names(attribute(other).bytes(of: Marca())) == ["Notas.MarcaVieja", "NSObject"])
  }

  /// A class that reads only the text of an attributed string, as a worker may have it.
  private final class TextoRico: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let text: String

    init?(coder: NSCoder) {
      guard let text = coder.decodeObject(forKey: "NSString") as? String else { return nil }
      self.text = text
    }

    func encode(with coder: NSCoder) { coder.encode(text, forKey: "NSString") }
  }

  @Test("an attributed string comes as Data, unless the program has set a class for its name")
  func attributedText() throws {
    let data = ArchivedValues.archive { writer in
      let attributes = writer.dictionary([("NSFont", writer.add("UIFont", [:]))])
      return writer.add("NSAttributedString", ["NSString": writer.text("hola"), "NSAttributes": attributes])
    }
    let keyed = attribute()
    let bytes = try #require(try keyed.value(of: data))
    #expect(bytes as? Data == data && !(bytes is NSAttributedString))
    #expect(try keyed.bytes(of: bytes) == data)
    let problem = #expect(throws: TransformProblem.self) {
      try keyed.bytes(of: NSAttributedString(string: "hola"))
    }
    #expect("\(problem as Any)".contains("setClass(_:forClassName:)"), "\(problem as Any)")
    NSKeyedUnarchiver.setClass(TextoRico.self, forClassName: "NSAttributedString")
    defer { NSKeyedUnarchiver.setClass(nil, forClassName: "NSAttributedString") }
    #expect((try attribute().value(of: data) as? TextoRico)?.text == "hola")
  }

  @Test("if too many unreadable values were read, doubtful Data are refused")
  func forgotten() throws {
    let keyed = attribute(ArchiveScope(mostData: 3))
    for byte in 1...4 { #expect(try keyed.value(of: Data([UInt8(byte)])) as? Data != nil) }
    #expect(try keyed.bytes(of: Data([2])) == Data([2]))
    #expect(try keyed.bytes(of: Data([4])) == Data([4]))
    let problem = #expect(throws: TransformProblem.self) { try keyed.bytes(of: Data([1])) }
    #expect("\(problem as Any)".contains("more than 3 values"), "\(problem as Any)")
    // Data that are an archive aren't doubtful: all forgotten values are no archives.
    let finished = archive("Diario.Sello")
    #expect(try keyed.bytes(of: finished) == finished)
    let inner = (0..<4).map { index in ArchivedValues.archive { $0.text("\(index)") } }
    for data in inner {
      #expect(try keyed.value(of: ArchivedValues.archive { $0.add(.data(data)) }) as? Data == data)
    }
    #expect(try keyed.bytes(of: inner[3]) != inner[3])
    #expect(throws: TransformProblem.self) { try keyed.bytes(of: inner[0]) }
  }

  @Test("the number of remembered unknown class names is limited")
  func unknown() throws {
    let keyed = attribute()
    for index in 0..<(ArchivedClasses.mostNames + 50) {
      #expect(try keyed.value(of: archive("Clase\(index).Nada\(index)")) is Data)
    }
    #expect(ArchivedClasses.rememberedNames <= ArchivedClasses.mostNames)
  }

  @Test("the numbers of remembered missing transformers and of remembered remarks are limited")
  func bounds() throws {
    for index in 0..<(TransformerTable.mostMissing + 50) {
      let foreign = TransformedAttribute("Nota.valor\(index)", transformer: "Nada\(index)")
      #expect(try foreign.value(of: Data([1])) is Data)
    }
    #expect(TransformerTable.rememberedMissing <= TransformerTable.mostMissing)
    #expect(Remark.rememberedSubjects <= Remark.mostSubjects)
    #expect(Remark.rememberedSubjects > 0)
  }
}
