import CoreData

/// Migrates a store as in Apple's guide (docs/examples/5-guide.md): `guide STORE RESOURCES OUTPUT [PASS…]`.
///
/// RESOURCES is a folder like an app's bundle, with models and mapping models. Each PASS is the name of a mapping model
/// in this folder; the passes run in the given order.
@main
struct Guide {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3, let bundle = Bundle(path: arguments[1]) else {
      fail("usage: guide STORE RESOURCES OUTPUT [PASS…]")
    }
    do {
      try StoreMigration(
        store: URL(fileURLWithPath: arguments[0]), bundle: bundle, output: URL(fileURLWithPath: arguments[2]),
        passNames: Array(arguments.dropFirst(3))
      ).run()
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("guide: \(message)\n".utf8))
    exit(1)
  }
}
