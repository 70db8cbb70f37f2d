import DecantTestSupport
import Foundation
import Testing

/// Checks the manual pages, also with the script that makes one of them.
@Suite("Manual pages")
struct ManualPagesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("decant-mapping(5) is as the script makes it from the guides")
  func guides() throws {
    let run = try ScriptRun("scripts/manual --check", in: folder.url)
    #expect(run.code == 0, "\(run.output)")
    #expect(try ScriptRun("scripts/manual --chek", in: folder.url).code == 64)
  }

  @Test("if a guide has changed, the check says that the page has to be made again")
  func change() throws {
    let run = try ScriptRun(
      """
      mkdir -p $place/copy/man && cp -r scripts docs $place/copy && cp man/*.5 $place/copy/man && cd $place/copy &&
      scripts/manual --check && sed -i 's/^| `order` .*//' docs/mapping-models.md && scripts/manual --check
      """, in: folder.url)
    #expect(run.code == 65 && run.output.contains("Write it with: scripts/manual"), "\(run.output)")
  }

  @Test("every manual page that another one names exists")
  func references() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("man").path)
    for name in names {
      let page = try RepositoryFile("man/\(name)")
      for match in page.text.matches(of: /\.Xr (decant[a-z.0-9-]*) ([1-8])/) {
        #expect(names.contains("\(match.1).\(match.2)"), "\(name): \(match.0)")
      }
    }
  }
}
