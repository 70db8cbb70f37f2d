import Testing

@testable import SwiftPorting

@Suite("A worker's sources made from an app's sources")
struct PortPlanTests {
  private func plan(_ files: KeyValuePairs<String, String>) -> PortPlan {
    PortPlan(files.map { AppSource(path: $0.key, bytes: Array($0.value.utf8)) })
  }

  /// The ported file of a source text; nil if the plan doesn't take it.
  ///
  /// - Parameter further: Other files of the app, by path.
  private func ported(_ text: String, _ further: KeyValuePairs<String, String> = [:]) -> PortedFile? {
    let all = further.map { AppSource(path: $0.key, bytes: Array($0.value.utf8)) }
    return PortPlan(all + [AppSource(path: "A.swift", bytes: Array(text.utf8))]).files.first {
      $0.path == "A.swift"
    }
  }

  private func text(_ file: PortedFile?) -> String { String(decoding: file?.bytes ?? [], as: UTF8.self) }

  @Test("a primitive property reads and sets the value of its property")
  func primitives() {
    let file = ported(
      """
      import CoreData
      class Nota: NSManagedObject {
        @NSManaged var primitiveNombre: String?
        @NSManaged var primitiveOrden: Int64
        @NSManaged var primitive: String?
      }
      """)
    let text = text(file)
    #expect(text.contains(#"get { value(forKey: "nombre") as? String }"#), "\(text)")
    #expect(text.contains(#"set { setValue(NSNumber(value: newValue), forKey: "orden") }"#), "\(text)")
    #expect(text.contains(#"setValue(newValue, forKey: "primitive")"#), "\(text)")
  }

  @Test("attributes for Objective-C are removed, also a line with only them; comments and strings stay")
  func attributes() {
    let file = ported(
      """
      import CoreData
      // @objc stays
      @objc(NotaPolicy)
      @objcMembers class NotaPolicy: NSEntityMigrationPolicy {
        let text = "@objc #keyPath(Nota.titulo) \\(#keyPath(Nota.titulo))"
        @objc func nombre(for orden: NSNumber, y otra: Int) -> String { "" }
        @nonobjc @objc
        func leer() {}
      }

      """)
    #expect(
      text(file) == """
        import CoreData
        // @objc stays
        class NotaPolicy: NSEntityMigrationPolicy {
          let text = "@objc #keyPath(Nota.titulo) \\("titulo")"
          func nombre(for orden: NSNumber, y otra: Int) -> String { "" }
          
          func leer() {}
        }

        """)
    #expect(file?.changes.map(\.line) == [3, 4, 5, 6, 7, 7])
    #expect(file?.left.first { $0.line == 6 }?.text.contains("“nombreFor:y:”") == true)
  }

  @Test("a class with a different Objective-C name is reported")
  func otherName() {
    let file = ported("@objc(Vieja) final class Nueva: NSEntityMigrationPolicy {}\n")
    #expect(file?.left.map(\.text).contains { $0.contains("“Vieja”") && $0.contains("“Nueva”") } == true)
  }

  @Test(
    "#keyPath expressions become strings",
    arguments: [
      ("#keyPath(Nota.categoria.nombre)", #""categoria.nombre""#), ("#keyPath(App.Nota.titulo)", #""titulo""#),
      ("#keyPath( titulo )", #""titulo""#), ("#keyPath(Nota.`class`)", #""class""#),
    ])
  func keyPaths(code: String, result: String) {
    #expect(
      text(ported("let m: NSMappingModel\nlet a = \(code)")) == "let m: NSMappingModel\nlet a = \(result)")
  }

  @Test("a #keyPath that can't be read stays as it is and is reported")
  func oddKeyPath() {
    let file = ported("let m: NSMappingModel\nlet a = #keyPath(Nota.titulo[0])")
    #expect(text(file).contains("#keyPath(Nota.titulo[0])"))
    #expect(file?.left.map(\.line) == [2])
  }

  @Test("managed properties become computed properties, with the file's line ends and indentation")
  func properties() {
    let file = ported(
      "extension Nota {\r\n    @NSManaged public var titulo: String?\r\n    @NSManaged var orden: Int64 // order\r\n}\r\n"
    )
    #expect(
      text(file)
        == "extension Nota {\r\n    public var titulo: String? {\r\n        get { value(forKey: \"titulo\") as? String }\r\n"
        + "        set { setValue(newValue, forKey: \"titulo\") }\r\n    }\r\n"
        + "    var orden: Int64 {\r\n        get { (value(forKey: \"orden\") as? NSNumber)?.int64Value ?? 0 }\r\n"
        + "        set { setValue(NSNumber(value: newValue), forKey: \"orden\") }\r\n    } // order\r\n}\r\n")
  }

  @Test(
    "the getter fits the type of a managed property",
    arguments: [
      ("Set<Nota>", #"Set((value(forKey: "x") as? NSSet)?.allObjects as? [Nota] ?? [])"#),
      ("Set<Nota>?", #"(value(forKey: "x") as? NSSet).map { Set($0.allObjects as? [Nota] ?? []) }"#),
      ("Bool", #"(value(forKey: "x") as? NSNumber)?.boolValue ?? false"#),
      ("Date", #"value(forKey: "x") as? Date ?? Date(timeIntervalSinceReferenceDate: 0)"#),
      ("NSSet!", #"value(forKey: "x") as? NSSet"#),
      ("[String: Any]?", #"value(forKey: "x") as? [String: Any]"#),
      ("Estado", #"Estado(rawValue: (value(forKey: "x") as? NSNumber)?.int16Value ?? 0)!"#),
      ("Categoria", #"value(forKey: "x") as! Categoria"#),  // A class has no empty value.
    ])
  func types(type: String, getter: String) {
    let file = ported(
      "class Nota: NSManagedObject { @NSManaged private(set) var x: \(type) }",
      ["Estado.swift": "@objc enum Estado: Int16 { case a }"])
    #expect(text(file).contains("{ private(set) var x: \(type) {"), "\(text(file))")
    #expect(text(file).contains("get { \(getter) }"), "\(text(file))")
    #expect(text(file).filter { $0 == "{" }.count == text(file).filter { $0 == "}" }.count)
  }

  @Test("accessors of to-many relationships get bodies for ordered and unordered relationships")
  func methods() {
    let file = ported(
      """
      extension Nota {
        @NSManaged func addToTags(_ value: Tag)
        @NSManaged public func removeFromTags(_ values: NSSet)
        @NSManaged func addToPasos(_ values: NSOrderedSet)
        @NSManaged func insertIntoPasos(_ value: Paso, at idx: Int)
        @NSManaged func replacePasos(at indexes: NSIndexSet, with values: [Paso])
        @NSManaged func other(_ value: Int)
      }
      """,
      [
        "Nota.swift":
          "class Nota: NSManagedObject {\n@NSManaged var tags: NSSet\n@NSManaged var pasos: NSOrderedSet\n}"
      ])
    let result = text(file)
    for line in [
      #"mutableSetValue(forKey: "tags").add(value)"#,
      #"for member in values.allObjects { mutableSetValue(forKey: "tags").remove(member) }"#,
      #"for member in values.array { mutableOrderedSetValue(forKey: "pasos").add(member) }"#,
      #"mutableOrderedSetValue(forKey: "pasos").insert(value, at: idx)"#,
      #"for (index, member) in zip(indexes, values) { mutableOrderedSetValue(forKey: "pasos").replaceObject(at: index, with: member) }"#,
      "@NSManaged func other(_ value: Int)",
    ] { #expect(result.contains(line), "\(result)") }
    #expect(file?.left.contains { $0.line == 7 } == true)
  }

  @Test("several managed properties in one declaration become one declaration each, with the same modifiers")
  func severalProperties() {
    let file = ported(
      """
      class Nota: NSManagedObject {
        @NSManaged var a: Int32, b: Double
        public @NSManaged private(set) var c, d: String?
        @NSManaged var e: Int32, /* why */ f: Double
      }
      """)
    #expect(
      text(file) == """
        class Nota: NSManagedObject {
          var a: Int32 {
            get { (value(forKey: "a") as? NSNumber)?.int32Value ?? 0 }
            set { setValue(NSNumber(value: newValue), forKey: "a") }
          }
          var b: Double {
            get { (value(forKey: "b") as? NSNumber)?.doubleValue ?? 0 }
            set { setValue(NSNumber(value: newValue), forKey: "b") }
          }
          public private(set) var c: String? {
            get { value(forKey: "c") as? String }
            set { setValue(newValue, forKey: "c") }
          }
          public private(set) var d: String? {
            get { value(forKey: "d") as? String }
            set { setValue(newValue, forKey: "d") }
          }
          @NSManaged var e: Int32, /* why */ f: Double
        }
        """)
    #expect(file?.changes.map(\.line) == [2, 2, 3, 3] && file?.left.map(\.line) == [4])
  }

  @Test("initialisers that subclasses need become required, or are added")
  func initialisers() {
    let file = ported(
      """
      public class Nota: NSManagedObject {
        override public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
          super.init(entity: entity, insertInto: context)
        }
      }
      public class Tag: NSManagedObject {
        init(nombre: String) { super.init(entity: x, insertInto: nil) }
      }
      class Plain: NSManagedObject { convenience init(nombre: String) { self.init(entity: x, insertInto: nil) } }
      class P: NSEntityMigrationPolicy {
        override init() { super.init() }
      }
      class Q: NSEntityMigrationPolicy { required init() { super.init() } }
      class Other: NSObject { override init() { super.init() } }
      """)
    #expect(
      text(file) == """
        public class Nota: NSManagedObject {
          required public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
            super.init(entity: entity, insertInto: context)
          }
        }
        public class Tag: NSManagedObject {
          init(nombre: String) { super.init(entity: x, insertInto: nil) }

          public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
            super.init(entity: entity, insertInto: context)
          }
        }
        class Plain: NSManagedObject { convenience init(nombre: String) { self.init(entity: x, insertInto: nil) } }
        class P: NSEntityMigrationPolicy {
          required init() { super.init() }
        }
        class Q: NSEntityMigrationPolicy { required init() { super.init() } }
        class Other: NSObject { override init() { super.init() } }
        """)
    #expect(file?.changes.map(\.line) == [2, 7, 11])
  }

  @Test("overrides that have no effect in Decant are reported, with any modifiers")
  func overrides() {
    let file = ported(
      """
      class Nota: NSManagedObject {
        override public func willSave() {}
        public override func didSave() {}
        func prepareForDeletion() {}
      }
      class Manager: NSMigrationManager {
        override func migrateStore(from url: URL) throws {}
        override var destinationContext: NSManagedObjectContext { c }
        func associate() {}
      }
      class Cart: NSObject { override func reset() {} }
      """)
    #expect(file?.left.map(\.line) == [2, 3, 7, 8])
  }

  @Test("a subclass of an alias of Core Data's class is found")
  func aliases() {
    let plan = plan([
      "A.swift": "typealias Base = CoreData.NSEntityMigrationPolicy\ntypealias Object = NSManagedObject",
      "B.swift": "class P: Base {}\nclass Nota: Object {}",
    ])
    #expect(plan.files.map(\.path) == ["A.swift", "B.swift"])
    #expect(plan.policies == ["P"] && plan.objects == ["Nota"])
  }

  @Test("submodules of os become os, the needed products are listed, and foreign modules are reported")
  func imports() {
    let plan = plan([
      "A.swift":
        "import os.log\nimport UIKit\nimport SwiftUI\nimport class CoreData.NSMappingModel\n@preconcurrency import OSLog\n"
    ])
    #expect(
      text(plan.files.first)
        == "import os\nimport UIKit\nimport SwiftUI\nimport class CoreData.NSMappingModel\n@preconcurrency import os\n"
    )
    #expect(plan.products == ["CoreData", "DecantWorker", "UIKit", "os"])
    #expect(plan.files.first?.left.map(\.line) == [3])
  }

  @Test("selectors, types of UIKit, controllers and types that aren't copied are reported")
  func left() {
    let file = ported(
      """
      let m: NSMappingModel
      let c: UIColor, u: UInt8, i: UIID
      let s = #selector(run)
      @FetchRequest var a: Int
      let f: NSFetchedResultsController<Nota>
      let p = DateParser(), q = text.DateParser
      func observeValue() {}
      override func willSave() {}
      """, ["Tools/DateParser.swift": "struct DateParser {}"])
    #expect(file?.left.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
    #expect(file?.left.first { $0.line == 6 }?.text.contains("Tools/DateParser.swift") == true)
  }

  @Test("files are chosen by their declarations, also through types of other files; tests aren't chosen")
  func choice() {
    let plan = plan([
      "Base.swift": "class Base: NSEntityMigrationPolicy {}", "Own.swift": "class Own: Base {}",
      "View.swift": "struct View { let a = \"NSMappingModel\" } // NSMappingModel",
      "Tests.swift": "import XCTest\nlet m: NSMappingModel",
      "Nota.swift": "public class Nota: NSManagedObject {}",
      "Nota+P.swift": "extension Nota { @NSManaged var a: Int64 }",
      "Nota+View.swift": "extension Nota { var b: Int { 1 } }",
      "T.swift": "final class T: ValueTransformer {}", "Sub/Own.swift": "func f(_ m: NSMigrationManager) {}",
    ])
    #expect(
      plan.files.map(\.path) == [
        "Base.swift", "Nota+P.swift", "Nota.swift", "Own.swift", "Sub/Own.swift", "T.swift",
      ])
    #expect(plan.policies == ["Base", "Own"])
    #expect(plan.objects == ["Nota"])
    #expect(plan.tests == ["Tests.swift"])
    #expect(plan.sameNames == ["Own.swift"])
  }

  @Test("names in imports and generic arguments aren't taken for superclasses; nested classes are found")
  func structure() {
    let plan = plan([
      "A.swift":
        "import class CoreData.NSMappingModel\nstruct Box: Store<NSManagedObject> where A == B { class In: NSManagedObject {} }",
      "B.swift":
        "enum Space { final class Deep: NSEntityMigrationPolicy { class Inner {} } }\nclass P<T: NSManagedObject> {}",
    ])
    #expect(plan.objects == ["Box.In"])
    #expect(plan.policies == ["Space.Deep"])
  }

  @Test(
    "code that could be slow to read is read in linear time",
    .timeLimit(.minutes(1)),
    arguments: [
      "class a ", "class a{", "@objc ", "@objc func a(", "@NSManaged var a: b ", "@NSManaged func a(", "#/ ",
      "#", "(", "/*",
      "`a", "\"\\(", "class a<", "class a: b ", "import a", "#keyPath(",
    ])
  func slow(piece: String) {
    let plan = plan([
      "A.swift": "let m: NSMappingModel\n" + String(repeating: piece, count: 30_000 / piece.count)
    ])
    #expect(plan.files.count == 1)
  }

  @Test("a file without changes stays byte for byte, with its byte order mark")
  func unchanged() {
    let text = "\u{FEFF}import CoreData\r\nclass A: NSEntityMigrationPolicy {}"
    let file = ported(text)
    #expect(file?.bytes == Array(text.utf8))
    #expect(file?.changes.isEmpty == true && file?.left.isEmpty == true)
  }
}
