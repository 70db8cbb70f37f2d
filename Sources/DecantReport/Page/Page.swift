/// A self-contained HTML page: it loads nothing, runs no code, and is readable at a phone's width.
struct Page {
  let title: String
  private var body = ""

  init(title: String) { self.title = title }

  mutating func add(_ markup: String) { body += markup + "\n" }

  mutating func heading(_ text: String) { add("<h2>\(PageText.of(text))</h2>") }

  /// - Parameter items: Sentences that aren't escaped yet.
  mutating func list(_ items: [String]) {
    add("<ul>" + items.map { "<li>\(PageText.of($0))</li>" }.joined() + "</ul>")
  }

  /// - Parameter facts: Pairs of an unescaped name and a value as markup; a pair whose value is `nil` is left out.
  mutating func facts(_ facts: [(String, String?)]) {
    let rows = facts.compactMap { name, value in value.map { "<dt>\(PageText.of(name))</dt><dd>\($0)</dd>" } }
    if !rows.isEmpty { add("<dl>" + rows.joined() + "</dl>") }
  }

  /// A column of a table; numbers are aligned to the right.
  struct Column {
    let name: String
    var isNumber = false
  }

  /// - Parameter rows: Cells as markup.
  mutating func table(_ columns: [Column], _ rows: [[String]]) {
    func cells(_ tag: String, _ texts: [String]) -> String {
      zip(columns, texts).map { column, text in
        "<\(tag)\(column.isNumber ? " class=\"number\"" : "")\(tag == "th" ? " scope=\"col\"" : "")>\(text)</\(tag)>"
      }.joined()
    }
    add(
      "<div class=\"wide\"><table><thead><tr>\(cells("th", columns.map { PageText.of($0.name) }))</tr></thead><tbody>"
        + rows.map { "<tr>\(cells("td", $0))</tr>" }.joined() + "</tbody></table></div>")
  }

  /// - Parameter tiles: Pairs of a value as markup, in large letters, and the unescaped text below it.
  mutating func tiles(_ tiles: [(value: String, what: String)]) {
    add(
      "<div class=\"tiles\">"
        + tiles.map { "<div><b>\($0.value)</b><span>\(PageText.of($0.what))</span></div>" }.joined() + "</div>")
  }

  /// The whole document.
  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
    <meta name="referrer" content="no-referrer">
    <title>\(PageText.of(title).replacing("<br>", with: " "))</title>
    <style>
    \(PageStyle.sheet)
    </style>
    </head>
    <body>
    \(body)</body>
    </html>

    """
  }
}
