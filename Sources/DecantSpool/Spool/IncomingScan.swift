package import FileNames
internal import Glibc

/// The names in `incoming/` at one moment.
///
/// There may be very many names, so only their bytes are kept. `look(at:)` examines one of them.
package struct IncomingScan {
  /// One drop, or one entry that can't become a drop.
  package struct Sighting: Sendable, Hashable {
    package var name: FileName
    /// Changes whenever the drop's files change.
    package var fingerprint: Fingerprint
    package var drop: Drop?
    package var obstacles: [Obstacle]
  }

  package enum Find: Sendable {
    case sighting(Sighting)
    /// One of the daemon's own notices.
    case notice
    /// Part of another drop, or gone.
    case nothing
  }

  /// The names that don't begin with a dot, in order.
  package let names: NameList
  private let context: Context
  private let takenAs: (FileName) -> String?
  private let keepsOriginals: Bool

  /// Reads the names.
  ///
  /// - Parameters:
  ///   - now: Nanoseconds since 1970, to detect times in the future.
  ///   - keepsOriginals: Whether a job's original stays beside its result.
  ///   - takenAs: Returns the job for which a store of this name was taken recently; `nil` if there is none.
  package init(
    of incoming: FolderHandle, access: AccessCheck, now: Int64, keepsOriginals: Bool = true,
    takenAs: @escaping (FileName) -> String? = { _ in nil }
  ) throws(FileFailure) {
    let folder = try incoming.status()
    var (doubtful, names) = (NameList(), NameList())
    try incoming.forEachName { name in
      if name.first != 0x2E { names.append(name) }
      // Most names can't look like another name. They are left out, because there may be very many names.
      if FileName.mayHaveOtherForms(name) { doubtful.append(name) }
    }
    names.sort()
    self.names = names
    context = Context(
      incoming: incoming, folder: folder, access: access, now: now, names: names, alike: LookAlikes(doubtful),
      remedy: try AccessRemedy(user: access.user, in: incoming))
    self.keepsOriginals = keepsOriginals
    self.takenAs = takenAs
  }

  /// Examines a name in its current state.
  package func look(at name: FileName) -> Find {
    guard name.isText else { return context.badName(name) }
    do throws(FileFailure) {
      let status = try context.incoming.status(name.text)
      if context.incoming.isNotice(name, status) { return .notice }
      let limited = status?.kind == .file ? context.ownName(of: name) : name
      guard limited.bytes.count <= StoreNames.longestName else { return context.badName(name) }
      switch status?.kind {
      case .file? where StoreNames.isStore(name): return .sighting(try context.looseDrop(name))
      case .file?:
        let store = context.store(of: name)
        if store.isThere { return .nothing }
        return .sighting(
          try context.stray(
            name, store: store.name, takenAs: takenAs(store.name), keepsOriginal: keepsOriginals))
      case .folder?: return .sighting(try context.folderDrop(name))
      case .some: return .sighting(try context.other(name))
      case nil: return .nothing
      }
    } catch {
      // The scan continues with the other names.
      return .sighting(context.failed(name, error))
    }
  }
}

extension IncomingScan {
  /// The data that every look into the folder needs.
  struct Context {
    let incoming: FolderHandle
    let folder: FileStatus
    let access: AccessCheck
    let now: Int64
    let names: NameList
    let alike: LookAlikes
    let remedy: AccessRemedy

    /// - Parameter owner: The drop's owner; `nil` for a name that can't become a drop.
    func inspection(_ drop: FileName, owner: UInt32? = nil) -> FolderInspection {
      FolderInspection(
        drop: drop, access: access, device: folder.device, now: now, remedy: remedy, owner: owner)
    }

    func failed(_ name: FileName, _ failure: FileFailure) -> Sighting {
      var fingerprint = Fingerprint()
      fingerprint.add(failure.description)
      return Sighting(
        name: name, fingerprint: fingerprint, drop: nil,
        obstacles: [.failed(failure, drop: name, path: incoming.path(of: name), remedy)])
    }

    private func isThere(_ name: FileName) -> Bool { (try? incoming.exists(name)) == true }

    private func isFile(_ name: FileName) -> Bool { (try? incoming.status(name))??.kind == .file }

    /// The stores in the folder that have this stem.
    private func stores(withStem stem: FileName) -> some Sequence<FileName> {
      names.names(from: stem).lazy.filter {
        StoreNames.isStore($0) && StoreNames.stem($0) == stem && isFile($0)
      }
    }

    /// The store to which a file belongs by its name, or the stem in a request's name, and whether such a store is in
    /// the folder.
    ///
    /// A file whose store isn't in the folder is a stray.
    func store(of file: FileName) -> (name: FileName, isThere: Bool) {
      if let store = StoreNames.sibling(file) { return (store, StoreNames.isStore(store) && isFile(store)) }
      let store = file.dropping(StoreNames.requestSuffix) ?? file
      guard !StoreNames.isStore(store) || !isFile(store) else { return (store, true) }
      return (store, stores(withStem: store).contains { _ in true })
    }

    /// The name without the ending of a store's sibling or request, if it has such an ending.
    func ownName(of name: FileName) -> FileName {
      StoreNames.sibling(name) ?? name.dropping(StoreNames.requestSuffix) ?? name
    }

    /// The `Find` for a name that isn't UTF-8 or is too long.
    ///
    /// If the store of a file is in the folder, the file has no obstacle of its own, so that the store's command
    /// renames all files of the store together.
    func badName(_ name: FileName) -> Find {
      let own = ownName(of: name)
      if own != name, store(of: name).isThere { return .nothing }
      var fingerprint = Fingerprint()
      fingerprint.add(name.text)
      let reason =
        name.isText
        ? "has a name of more than \(StoreNames.longestName) bytes"
        : "has a name that isn't UTF-8"
      let usable = UsableName(for: name, isThere: isThere)
      return .sighting(
        Sighting(
          name: name, fingerprint: fingerprint, drop: nil,
          obstacles: [
            .badName(drop: name, name: name, folder: incoming.path, reason: reason, usable: usable)
          ]))
    }

    func other(_ name: FileName) throws(FileFailure) -> Sighting {
      var inspection = inspection(name)
      _ = try inspection.look(at: name, in: incoming)
      return Sighting(
        name: name, fingerprint: inspection.fingerprint, drop: nil, obstacles: inspection.obstacles)
    }

    func stray(
      _ name: FileName, store: FileName, takenAs job: String?, keepsOriginal: Bool
    ) throws(FileFailure) -> Sighting {
      var inspection = inspection(name)
      _ = try inspection.look(at: name, in: incoming)
      // If the names differ only in the normal form, the stray gets the same obstacle as the store itself.
      let otherForms = otherForms(asStray: name, of: store)
      let obstacles =
        otherForms.isEmpty
        ? [
          Obstacle.stray(
            name: name, path: incoming.path(of: name), store: store, takenAs: job, keepsOriginal: keepsOriginal)
        ]
        : otherForms.map { .otherForm($0, drop: name, folder: incoming.path, incoming: incoming.path) }
      return Sighting(name: name, fingerprint: inspection.fingerprint, drop: nil, obstacles: obstacles)
    }

    /// The stray as an `OtherForm` of each store to which it would belong if its name had another normal form.
    private func otherForms(asStray name: FileName, of store: FileName) -> [OtherForm] {
      guard name.mayHaveOtherForms else { return [] }
      // A request may have the store's whole name or only its stem.
      return alike.names(alike: store, orWithStem: name.hasSuffix(StoreNames.requestSuffix))
        .filter { StoreNames.isStore($0) && isFile($0) }
        .flatMap { alike.otherForms(ofFilesOf: $0, withRequests: true) }.filter { $0.found == name }
    }

    /// The names beside a store that belong to it, in the order in which the daemon takes them.
    func siblings(of store: FileName) -> [FileName] {
      ([StoreNames.support(store)] + StoreNames.requests(store) + StoreNames.siblings(store)).filter(isThere)
    }

    func looseDrop(_ store: FileName) throws(FileFailure) -> Sighting {
      var inspection = inspection(store, owner: try incoming.status(store.text)?.owner)
      let siblings = siblings(of: store)
      for name in siblings + [store] {
        guard let kind = try inspection.look(at: name, in: incoming) else { continue }
        let isSupport = name == StoreNames.support(store)
        if (kind == .folder) != isSupport, kind == .folder || kind == .file {
          inspection.obstacles.append(
            Obstacle(
              drop: store,
              message:
                "“\(PrintedName.of(incoming.path(of: name)))” is a \(kind), but a store has a \(isSupport ? "folder" : "file") of this name.",
              // This entry may be another drop, or the only copy of something. So the command deletes nothing.
              command: Obstacle.hiding(incoming.path(of: name))))
        }
      }
      addFixed(&inspection, store)
      inspection.obstacles += alike.otherForms(ofFilesOf: store, withRequests: true).map {
        .otherForm($0, drop: store, folder: incoming.path, incoming: incoming.path)
      }
      let stem = StoreNames.stem(store)
      let shared = [StoreNames.support(store), stem + StoreNames.requestSuffix].first(where: isThere)
      if let shared, let other = stores(withStem: stem).first(where: { $0 != store }) {
        inspection.obstacles.append(
          .sharedStem(
            drop: store,
            files: (StoreNames.siblings(store) + [store + StoreNames.requestSuffix]).filter(isThere),
            other: other, shared: shared, incoming: incoming.path))
      }
      return Sighting(
        name: store, fingerprint: inspection.fingerprint,
        drop: Drop(
          name: store, form: .loose, members: siblings + [store], store: store,
          request: StoreNames.requests(store).first(where: siblings.contains),
          defect: StoreNames.reserved.contains(store) ? .reservedName(store) : nil,
          isFromTheFuture: inspection.isFromTheFuture),
        obstacles: inspection.obstacles)
    }

    func folderDrop(_ name: FileName) throws(FileFailure) -> Sighting {
      var inspection = inspection(name, owner: try incoming.status(name.text)?.owner)
      _ = try inspection.look(at: name, in: incoming)
      addFixed(&inspection, name)
      var drop = Drop(name: name, form: .folder, members: [name])
      drop.isFromTheFuture = inspection.isFromTheFuture
      if inspection.obstacles.isEmpty {
        do throws(FileFailure) {
          try FolderContent(of: try incoming.folder(name.text)).describe(&drop)
          if case .otherForms(let forms) = drop.defect {
            inspection.obstacles += forms.map {
              .otherForm($0, drop: name, folder: incoming.path(of: name), incoming: incoming.path)
            }
          }
        } catch {
          guard error.isDenied else { throw error }
          inspection.obstacles.append(
            .unreadable(
              drop: name, path: incoming.path(of: name), isFolder: true,
              command: remedy.command(forAllOf: incoming.path(of: name))))
        }
      }
      return Sighting(
        name: name, fingerprint: inspection.fingerprint, drop: drop, obstacles: inspection.obstacles)
    }

    private func addFixed(_ inspection: inout FolderInspection, _ name: FileName) {
      // If the name can't be examined here, the claim reports that.
      guard let status = try? incoming.status(name.text), let rights = try? incoming.rights(),
        !access.allowsRemoval(of: status, from: folder, rights: rights)
      else { return }
      inspection.obstacles.append(
        .fixed(drop: name, path: incoming.path(of: name), incoming: incoming.path))
    }
  }
}
