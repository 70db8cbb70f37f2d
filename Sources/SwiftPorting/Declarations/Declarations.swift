/// The types and extensions that a file declares, and the declaration around each token.
struct Declarations {
  /// The declarations, in the order of their names in the file.
  let all: [TypeDeclaration]
  /// For each token, the place in `all` of the innermost declaration around it; nil for none.
  private let owners: [Int?]

  init(_ code: SwiftCode) {
    all = TypeReader.declarations(in: code)
    var owners: [Int?] = []
    owners.reserveCapacity(code.tokens.count)
    var open: [Int] = []
    var next = 0
    for token in code.tokens.indices {
      while let last = open.last, all[last].body.upperBound <= token { open.removeLast() }
      while next < all.count, all[next].body.lowerBound <= token {
        if all[next].body.contains(token) { open.append(next) }
        next += 1
      }
      owners.append(open.last)
    }
    self.owners = owners
  }

  func owner(of token: Int) -> TypeDeclaration? {
    owners.indices.contains(token) ? owners[token].map { all[$0] } : nil
  }

  /// The name of a declaration with the types around it: `Migrations.NotaPolicy`.
  func wholeName(of declaration: TypeDeclaration) -> String {
    guard let outer = owner(of: declaration.token) else { return declaration.written }
    return "\(wholeName(of: outer)).\(declaration.written)"
  }

  /// The first declaration whose name comes after a token; nil for none.
  func first(after token: Int) -> TypeDeclaration? {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].token > token { high = middle } else { low = middle + 1 }
    }
    return low < all.count ? all[low] : nil
  }
}
