import DecantTestSupport
import Foundation
import Testing

/// Checks the links between pages.
@Suite("Links") struct LinkTests {
  static let pages = (try? RepositoryFile.pages()) ?? []

  @Test("each link leads to an existing file, and to an existing heading if it names one", arguments: pages)
  func links(page: RepositoryFile) throws {
    let here = URL(fileURLWithPath: page.path, relativeTo: Repository.root)
    let own = MarkdownPage(page)
    for (destination, line) in own.links where !destination.contains("://") {
      let place = "\(page.path):\(line)"
      let parts = destination.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? here : URL(fileURLWithPath: String(parts[0]), relativeTo: here)
      let target = file.standardizedFileURL
      let root = Repository.root.standardizedFileURL.path + "/"
      #expect(target.path.hasPrefix(root), "\(place): “\(destination)” leads out of the repository")
      #expect(FileManager.default.fileExists(atPath: target.path), "\(place): “\(destination)” leads nowhere")
      guard parts.count == 2, target.pathExtension == "md",
        let text = try? String(contentsOf: target, encoding: .utf8)
      else { continue }
      let anchors = MarkdownPage(RepositoryFile(target.path, text: text)).anchors
      #expect(anchors.contains(String(parts[1])), "\(place): “\(destination)” has no such heading")
    }
  }

  @Test("there are pages with links")
  func some() {
    let links = Self.pages.flatMap { MarkdownPage($0).links.filter { !$0.destination.contains("://") } }
    #expect(Self.pages.count > 15 && links.count > 60)
  }
}
