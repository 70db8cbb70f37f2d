internal import FileNames

/// What a dropped folder holds, sorted into a store and what belongs to it.
struct FolderContent {
  private let names: [FileName]
  private var stores: [FileName] = []
  private var requests: [FileName] = []
  private var siblings: [FileName] = []
  private var folders: [FileName] = []
  /// Texts by their names too, where there is nothing else that could be the store.
  private var texts: [FileName] = []

  init(of folder: FolderHandle) throws(FileFailure) {
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
    // Only where there is a choice is a file of another name looked into; among such texts alone none is the store.
    guard stores.count > 1 || stores.allSatisfy(CompanionText.isNamedSo) else { return }
    var others: [FileName] = []
    for store in stores where try !CompanionText.isOne(store, in: folder) { others.append(store) }
    if others.isEmpty, stores.allSatisfy(CompanionText.isNamedSo) {
      (texts, stores) = (stores, [])
    }
    if others.count == 1 { stores = others }
  }

  /// Writes store, request and defect into the drop.
  func describe(_ drop: inout Drop) {
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
      + requests.dropFirst()
    if !unexpected.isEmpty {
      drop.defect = .unexpected(unexpected)
    } else if StoreNames.reserved.contains(store) {
      drop.defect = .reservedName(store)
    } else if store.bytes.count > StoreNames.longestName {
      drop.defect = .unexpected([store])
    }
  }
}
