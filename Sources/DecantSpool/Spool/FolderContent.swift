internal import FileNames

/// The content of a dropped folder: a store and the files that belong to it.
package struct FolderContent {
  private let names: [FileName]
  private var stores: [FileName] = []
  private var requests: [FileName] = []
  private var siblings: [FileName] = []
  private var folders: [FileName] = []
  /// The texts, by name and content, if no other file could be the store.
  private var texts: [FileName] = []
  /// The files that don't begin as a store does; empty unless exactly one file begins so.
  private var foreign: [FileName] = []

  package init(of folder: FolderHandle) throws(FileFailure) {
    names = try folder.names().sorted()
    for name in names {
      switch try folder.status(name.text)?.kind {
      case .folder?: folders.append(name)
      case nil: break
      case .some where name.hasPrefix("."): break
      case .some where name.hasSuffix(StoreNames.requestSuffix): requests.append(name)
      case .some where StoreNames.sibling(name) != nil: siblings.append(name)
      case .some: stores.append(name)
      }
    }
    // Read the files if there are several, or if all have names of texts. If all are texts, none is the store.
    guard stores.count > 1 || stores.allSatisfy(CompanionText.isNamedSo) else { return }
    var others: [FileName] = []
    for store in stores where try !CompanionText.isOne(store, in: folder) { others.append(store) }
    if others.isEmpty, stores.allSatisfy(CompanionText.isNamedSo) {
      (texts, stores) = (stores, [])
    }
    if others.count == 1 { stores = others }
    guard others.count > 1 else { return }
    // A picture or an archive beside the store isn't a second store.
    let content = try others.map { name throws(FileFailure) in (name, try StoreContent.begins(name, in: folder))
    }
    guard content.count(where: \.1) == 1 else { return }
    stores = content.filter(\.1).map(\.0)
    foreign = content.filter { !$0.1 }.map(\.0)
  }

  /// Writes the store, the request and the defect into the drop.
  package func describe(_ drop: inout Drop) {
    guard let store = stores.first else {
      drop.defect = .noStore(besides: texts + siblings + requests + folders)
      return
    }
    guard stores.count == 1 else {
      drop.defect = .severalStores(stores)
      return
    }
    drop.store = store
    drop.request = requests.first
    let otherForms = LookAlikes(names).otherForms(ofFilesOf: store)
    guard otherForms.isEmpty else {
      drop.defect = .otherForms(otherForms)
      return
    }
    let unexpected =
      folders.filter { $0 != StoreNames.support(store) } + siblings.filter { StoreNames.sibling($0) != store }
      + requests.dropFirst() + foreign
    if !unexpected.isEmpty {
      drop.defect = .unexpected(unexpected)
    } else if StoreNames.reserved.contains(store) {
      drop.defect = .reservedName(store)
    } else if store.bytes.count > StoreNames.longestName {
      drop.defect = .longName(store)
    }
  }
}
