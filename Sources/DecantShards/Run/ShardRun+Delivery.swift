internal import DecantReport

extension ShardRun {
  func deliver(_ job: StoreJob, _ report: MigrationReport, _ line: LedgerLine) {
    // A delivery is finished even if a stop is requested: it is short.
    let delivery = StoreDelivery(output: settings.output, unfinished: unfinished, goesOn: { true })
    deliveries += 1
    later { [inbox] in
      var job = job
      job.begin()
      do throws(FileTrouble) {
        switch try delivery.deliver(job, report, line) {
        case .delivered(var line):
          job.end()
          line.seconds = job.seconds
          line.ended = Timestamp.text()
          inbox.put(.delivery(job, line))
        case .overtaken(let failure): inbox.put(.undelivered(job, failure, obstacle: nil))
        }
      } catch {
        let failure = error.failureOfPlace
        inbox.put(
          .undelivered(job, failure, obstacle: error.concernsAllStores ? failure.description : nil))
      }
    }
  }
}
