import DecantTestSupport
import Foundation
import Testing

/// No two folders of a target use each other's types, directly or through other folders.
@Suite("Folders") struct FolderTests {
  static let targets: [String] = {
    let folder = Repository.root.appendingPathComponent("Sources").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted()
  }()

  @Test("the folders of a target form no circle", arguments: targets)
  func circles(target: String) throws {
    let files = try RepositoryFile.all(in: ["Sources/\(target)"], endings: [".swift"])
    let uses = FolderUses(files)
    for folder in uses.folders {
      let way = uses.circle(through: folder)
      #expect(way == nil, "\(target): \(way?.joined(separator: ", ") ?? "")")
    }
  }

  @Test("a circle of two folders is found; words of comments and strings don't count")
  func sample() {
    let low = RepositoryFile("Sources/T/Low/A.swift", text: "struct A { let b = \"B \\(C.self)\" } // B\n")
    let high = RepositoryFile("Sources/T/High/B.swift", text: "package struct B { let a: A }\n")
    let other = RepositoryFile("Sources/T/Low/C.swift", text: "enum C {}\n")
    #expect(FolderUses([low, high, other]).circle(through: "Low") == nil)
    let turned = RepositoryFile("Sources/T/Low/D.swift", text: "struct D { let text = \"\\(B.self)\" }\n")
    #expect(FolderUses([low, high, other, turned]).circle(through: "Low") != nil)
  }
}

/// The other folders whose types each folder of a target uses.
struct FolderUses {
  /// For each folder, the folders that it uses, with a file and a type as an example.
  private(set) var uses: [String: [String: String]] = [:]
  var folders: [String] { uses.keys.sorted() }

  /// - Parameter files: The sources of one target.
  init(_ files: [RepositoryFile]) {
    let read = files.map { (file: $0, folder: Self.folder(of: $0), words: SwiftWords($0.text)) }
    var owners: [String: Set<String>] = [:]
    for (_, folder, words) in read {
      uses[folder] = uses[folder] ?? [:]
      for type in words.types { owners[type, default: []].insert(folder) }
    }
    for (file, folder, words) in read {
      for word in words.all.sorted() {
        guard let owner = owners[word], owner.count == 1, let other = owner.first, other != folder else {
          continue
        }
        uses[folder]?[other] = "\(file.path) uses \(word)"
      }
    }
  }

  /// The uses that lead from a folder back to itself; `nil` if there are none.
  func circle(through folder: String) -> [String]? {
    var ways: [String: [String]] = [folder: []]
    var next = [folder]
    while let here = next.popLast() {
      for (other, example) in (uses[here] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let way = (ways[here] ?? []) + [example]
        if other == folder { return way }
        guard ways[other] == nil else { continue }
        ways[other] = way
        next.append(other)
      }
    }
    return nil
  }

  /// The path of the file's folder within the target, or an empty string for the target's own folder.
  private static func folder(of file: RepositoryFile) -> String {
    file.path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
  }
}

/// The words of a Swift file outside of comments and strings, and the types that other files of the target can use.
struct SwiftWords {
  private(set) var all: Set<String> = []
  private(set) var types: Set<String> = []

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = Self.words(line)
      all.formUnion(words)
      // Only declarations at the start of a line count. A nested type is used with its outer type's name.
      guard line.first?.isLetter == true,
        let keyword = words.firstIndex(where: {
          ["struct", "class", "enum", "actor", "protocol", "typealias"].contains($0)
        }), keyword + 1 < words.count, !words.contains("private"), !words.contains("extension")
      else { continue }
      types.insert(words[keyword + 1])
    }
  }

  /// The words of a line, also those in a string's interpolations.
  private static func words(_ line: Substring) -> [String] {
    let bytes = Array(line.utf8)
    var words: [String] = []
    var word: [UInt8] = []
    // The number of open parentheses in each open interpolation.
    var open: [Int] = []
    var isText = false
    var place = 0
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    while place < bytes.count {
      let byte = bytes[place]
      let following = place + 1 < bytes.count ? bytes[place + 1] : 0
      if !isText, isLetter(byte) {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      if isText, byte == UInt8(ascii: "\\") {
        if following == UInt8(ascii: "(") {
          open.append(1)
          isText = false
        }
        place += 1
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: "/"), following == byte {
        break
      } else if !isText, let depth = open.last, byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") {
        open[open.count - 1] = byte == UInt8(ascii: "(") ? depth + 1 : depth - 1
        if open.last == 0 {
          open.removeLast()
          isText = true
        }
      }
      place += 1
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
