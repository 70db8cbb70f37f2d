internal import DecantConsole
internal import DecantReport
internal import FileNames

/// Names of drops and of stores in them.
enum DropName {
  static func check(_ name: String) throws(CommandFailure) {
    guard !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
      throw CommandFailure(
        .usage, "“\(name)” can't be the name of a drop: it has a slash, or begins with a dot.")
    }
    guard name.utf8.count <= StoreNames.longestName else {
      throw CommandFailure(
        .usage, "The name of a drop has at most \(StoreNames.longestName) bytes.")
    }
  }

  /// The drop's name for a store: the store's name without its extension.
  static func ofStore(_ store: FileName) throws(CommandFailure) -> String {
    func refusal(_ reason: String) -> CommandFailure {
      CommandFailure(
        .badData, "“\(store)” can't be dropped: its name \(reason).",
        advice: "Copy the store with its files to another name first.")
    }
    guard store.isText else { throw refusal("isn't UTF-8") }
    guard store.bytes.count <= StoreNames.longestName else {
      throw refusal("has more than \(StoreNames.longestName) bytes")
    }
    guard !store.hasPrefix(".") else { throw refusal("begins with a dot") }
    guard StoreNames.isStore(store) else { throw refusal("is that of a file beside a store") }
    guard !StoreNames.reserved.contains(store) else {
      throw refusal("is one that Decant itself uses beside results")
    }
    return StoreNames.stem(store).text
  }
}
