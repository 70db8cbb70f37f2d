package import FileNames
internal import Glibc

/// The content of `incoming/` at one moment.
package struct IncomingScan: Sendable {
  /// One drop, or one entry that can't become a drop.
  package struct Sighting: Sendable, Hashable {
    package var name: FileName
    /// Changes whenever the drop's files change.
    package var fingerprint: Fingerprint
    package var drop: Drop?
    package var obstacles: [Obstacle]
  }

  package var sightings: [Sighting]
  /// The names of the daemon's own notices.
  package var notices: [FileName] = []

  /// Looks through the folder.
  ///
  /// - Parameters:
  ///   - now: Nanoseconds since 1970, to detect times in the future.
  ///   - takenAs: The job for which a store of this name was taken recently.
  package init(
    of incoming: FolderHandle, access: AccessCheck, now: Int64, takenAs: (FileName) -> String? = { _ in nil }
  ) throws(FileFailure) {
    let folder = try incoming.status()
    let names = try incoming.names()
    let context = Context(
      incoming: incoming, folder: folder, access: access, now: now, present: Set(names),
      alike: LookAlikes(names),
      group: GroupName.of(folder.group))
    sightings = []
    var files: [FileName] = []
    for name in names where !name.hasPrefix(".") {
      if !name.isText || name.bytes.count > StoreNames.longestName {
        sightings.append(context.badName(name))
        continue
      }
      let status = try incoming.status(name.text)
      switch status?.kind {
      case .file? where incoming.isNotice(name, status): notices.append(name)
      case .file?: files.append(name)
      case .folder?: sightings.append(context.guarded(name, context.folderDrop))
      case .some: sightings.append(context.guarded(name, context.other))
      case nil: break
      }
    }
    let stores = files.filter(StoreNames.isStore)
    for store in stores {
      sightings.append(
        context.guarded(store) { (store) throws(FileFailure) in
          try context.looseDrop(store, others: stores)
        })
    }
    // A file that belongs to no store in the folder is a stray, for example a request for a missing store.
    let claimedNames = Set(stores.flatMap { [$0] + context.siblings(of: $0) })
    let otherForms = Dictionary(
      grouping: stores.flatMap { context.alike.otherForms(ofFilesOf: $0, withRequests: true) }, by: \.found)
    for file in files where !claimedNames.contains(file) {
      let store = StoreNames.sibling(file) ?? file.dropping(StoreNames.requestSuffix) ?? file
      sightings.append(
        context.guarded(file) { (file) throws(FileFailure) in
          try context.stray(file, store: store, takenAs: takenAs(store), otherForms: otherForms[file] ?? [])
        })
    }
    sightings.sort { $0.name < $1.name }
  }
}

extension IncomingScan {
  /// The data that every look into the folder needs.
  struct Context {
    let incoming: FolderHandle
    let folder: FileStatus
    let access: AccessCheck
    let now: Int64
    let present: Set<FileName>
    let alike: LookAlikes
    let group: String

    func inspection(_ drop: FileName) -> FolderInspection {
      FolderInspection(drop: drop, access: access, device: folder.device, now: now, group: group)
    }

    /// Looks at a name.
    ///
    /// A failure becomes an obstacle, so that the scan continues with the other names.
    func guarded(_ name: FileName, _ look: (FileName) throws(FileFailure) -> Sighting) -> Sighting {
      do throws(FileFailure) {
        return try look(name)
      } catch {
        var fingerprint = Fingerprint()
        fingerprint.add(error.description)
        return Sighting(
          name: name, fingerprint: fingerprint, drop: nil,
          obstacles: [.failed(error, drop: name, path: incoming.path(of: name))])
      }
    }

    func badName(_ name: FileName) -> Sighting {
      var fingerprint = Fingerprint()
      fingerprint.add(name.text)
      let reason =
        name.isText
        ? "has a name above \(StoreNames.longestName) bytes, which is too long"
        : "has a name that isn't UTF-8"
      return Sighting(
        name: name, fingerprint: fingerprint, drop: nil,
        obstacles: [.badName(drop: name, name: name, incoming: incoming.path, reason: reason)])
    }

    func other(_ name: FileName) throws(FileFailure) -> Sighting {
      var inspection = inspection(name)
      _ = try inspection.look(at: name, in: incoming)
      return Sighting(
        name: name, fingerprint: inspection.fingerprint, drop: nil, obstacles: inspection.obstacles)
    }

    /// - Parameter otherForms: The stores whose file the stray looks like, in another normal form.
    func stray(_ name: FileName, store: FileName, takenAs job: String?, otherForms: [OtherForm])
      throws(FileFailure) -> Sighting
    {
      var inspection = inspection(name)
      _ = try inspection.look(at: name, in: incoming)
      // The store's own obstacle has the same command.
      let obstacles =
        otherForms.isEmpty
        ? [Obstacle.stray(name: name, path: incoming.path(of: name), store: store, takenAs: job)]
        : otherForms.map { .otherForm($0, drop: name, folder: incoming.path, incoming: incoming.path) }
      return Sighting(name: name, fingerprint: inspection.fingerprint, drop: nil, obstacles: obstacles)
    }

    /// The names beside a store that belong to it, in the order of the claim.
    func siblings(of store: FileName) -> [FileName] {
      ([StoreNames.support(store)] + StoreNames.requests(store)
        + StoreNames.siblings(store))
        .filter(present.contains)
    }

    func looseDrop(_ store: FileName, others: [FileName]) throws(FileFailure) -> Sighting {
      var inspection = inspection(store)
      let siblings = siblings(of: store)
      for name in siblings + [store] {
        guard let kind = try inspection.look(at: name, in: incoming) else { continue }
        let isSupport = name == StoreNames.support(store)
        if (kind == .folder) != isSupport, kind == .folder || kind == .file {
          inspection.obstacles.append(
            Obstacle(
              drop: store,
              message:
                "“\(PrintedName.of(incoming.path(of: name)))” is a \(kind) where a store has a \(isSupport ? "folder" : "file").",
              command: "rm -r \(ShellQuoting.quote(incoming.path(of: name)))"))
        }
      }
      addFixed(&inspection, store)
      inspection.obstacles += alike.otherForms(ofFilesOf: store, withRequests: true).map {
        .otherForm($0, drop: store, folder: incoming.path, incoming: incoming.path)
      }
      let stem = StoreNames.stem(store)
      let shared = [StoreNames.support(store), stem + StoreNames.requestSuffix].first(where: present.contains)
      if let shared, let other = others.first(where: { $0 != store && StoreNames.stem($0) == stem }) {
        inspection.obstacles.append(
          .sharedStem(drop: store, other: other, shared: shared, incoming: incoming.path))
      }
      return Sighting(
        name: store, fingerprint: inspection.fingerprint,
        drop: Drop(
          name: store, form: .loose, members: siblings + [store], store: store,
          request: StoreNames.requests(store).first(where: present.contains),
          defect: StoreNames.reserved.contains(store) ? .reservedName(store) : nil,
          isFromTheFuture: inspection.isFromTheFuture),
        obstacles: inspection.obstacles)
    }

    func folderDrop(_ name: FileName) throws(FileFailure) -> Sighting {
      var inspection = inspection(name)
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
              drop: name, path: incoming.path(of: name), isFolder: true, groupFits: true, group: group))
        }
      }
      return Sighting(
        name: name, fingerprint: inspection.fingerprint, drop: drop, obstacles: inspection.obstacles)
    }

    private func addFixed(_ inspection: inout FolderInspection, _ name: FileName) {
      // The claim reports a name that can't be examined.
      guard let status = try? incoming.status(name.text), !access.allowsRemoval(of: status, from: folder) else {
        return
      }
      inspection.obstacles.append(
        .fixed(drop: name, path: incoming.path(of: name), incoming: incoming.path))
    }
  }
}
