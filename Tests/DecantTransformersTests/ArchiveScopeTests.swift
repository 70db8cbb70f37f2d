import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantTransformers

/// An archived class of an app.
final class Sello: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) { coder.encode(1, forKey: "uno") }
}

/// Another one, whose name in the app the program sets.
final class Timbre: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

@Suite("What one store's archives tell stays with that store")
struct ArchiveScopeTests {
  private func attribute(_ scope: ArchiveScope = ArchiveScope()) -> TransformedAttribute {
    TransformedAttribute("Nota.valor", transformer: nil, scope: scope)
  }

  private func archive(_ className: String) -> Data { ArchivedValues.archive { $0.add(className, [:]) } }

  private func names(_ data: Data) throws -> [String] { try Archive(parsing: data).root().classNames }

  @Test("an object is written under the names with which it was read, whatever was read before")
  func names() throws {
    let (one, other) = (attribute(), attribute())
    let first = try #require(try one.value(of: archive("Diario.Sello")))
    let second = try #require(try other.value(of: archive("Notas.Sello")))
    #expect(try names(one.bytes(of: first)) == ["Diario.Sello", "NSObject"])
    #expect(try names(other.bytes(of: second)) == ["Notas.Sello", "NSObject"])
    // New objects have their own store's name.
    #expect(try names(one.bytes(of: Sello())) == ["Diario.Sello", "NSObject"])
    #expect(try names(other.bytes(of: Sello())) == ["Notas.Sello", "NSObject"])
    let unread = #expect(throws: TransformProblem.self) { try attribute().bytes(of: Sello()) }
    #expect("\(unread as Any)".contains("the name of the class Sello in the app isn't known"))
    let mixed = try #require(try one.value(of: archive("Notas.Sello")))
    #expect(try names(one.bytes(of: mixed)) == ["Notas.Sello", "NSObject"])
  }

  @Test("the name that the program sets counts everywhere")
  func set() throws {
    SecureUnarchiveTransformer.setClassName("Cartas.Timbre", for: Timbre.self)
    #expect(try names(attribute().bytes(of: Timbre())) == ["Cartas.Timbre", "NSObject"])
    let read = try #require(try attribute().value(of: archive("Otra.Timbre")))
    #expect(try names(attribute().bytes(of: read)) == ["Cartas.Timbre", "NSObject"])
  }

  @Test(
    "an object whose list of classes is empty or another one's comes as Data", arguments: [[], ["Otra.Cosa"]])
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

  @Test("data that couldn't be read go back as they are; equal data of another store are archived")
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

  @Test("what is no longer remembered is refused, not guessed")
  func forgotten() throws {
    let keyed = attribute(ArchiveScope(mostData: 3))
    for byte in 1...4 { _ = try keyed.value(of: Data([UInt8(byte)])) }
    #expect(try keyed.bytes(of: Data([2])) == Data([2]))
    #expect(try keyed.bytes(of: Data([4])) == Data([4]))
    let problem = #expect(throws: TransformProblem.self) { try keyed.bytes(of: Data([1])) }
    #expect("\(problem as Any)".contains("more than 3 values"), "\(problem as Any)")
    // No value that looks like an archive was forgotten.
    let finished = archive("Diario.Sello")
    #expect(try keyed.bytes(of: finished) == finished)
    let inner = (0..<4).map { index in ArchivedValues.archive { $0.text("\(index)") } }
    for data in inner {
      #expect(try keyed.value(of: ArchivedValues.archive { $0.add(.data(data)) }) as? Data == data)
    }
    #expect(try keyed.bytes(of: inner[3]) != inner[3])
    #expect(throws: TransformProblem.self) { try keyed.bytes(of: inner[0]) }
  }

  @Test("names of unknown classes are forgotten again")
  func unknown() throws {
    let keyed = attribute()
    for index in 0..<(ArchivedClasses.mostNames + 50) {
      #expect(try keyed.value(of: archive("Clase\(index).Nada\(index)")) is Data)
    }
    #expect(ArchivedClasses.rememberedNames <= ArchivedClasses.mostNames)
  }
}
