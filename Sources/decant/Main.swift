import DecantModel
import Foundation

@main enum Main {
  static func main() {
    for a in CommandLine.arguments.dropFirst() {
      do {
        let b = try ModelBundle.read(at: URL(fileURLWithPath: a))
        for v in b.versions {
          let h = v.model.entityVersionHashes
          for (k, x) in h { print("\(a)|\(v.name)|\(k)|\(x)") }
          for w in v.warnings { print("W \(a) \(v.name) \(w)") }
        }
      } catch { print("E \(error)") }
    }
  }
}
