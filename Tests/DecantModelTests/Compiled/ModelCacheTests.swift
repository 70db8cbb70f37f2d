import DecantModel
import DecantTestSupport
import Foundation
import Testing

@Suite struct ModelCacheTests {
  private func failure(_ content: Data) -> String {
    do throws(ModelError) {
      _ = try ModelCache.read(content)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func aDeflatedModelIsRead() throws {
    let model = try SampleModel.make()
    for form in [CompiledModelWriter.Form.cacheWithProxies, .cacheWithCopies] {
      let reading = try ModelCache.read(RawDeflate.stored(CompiledModelWriter.data(model, as: form)))
      #expect(reading.model == model)
      #expect(reading.warnings.isEmpty)
    }
  }

  @Test func bytesBehindTheEndAreLeftAsideWithAWord() throws {
    let content = RawDeflate.stored(CompiledModelWriter.data(try SampleModel.make()))
    let reading = try ModelCache.read(content + Data([1, 2, 3]))
    #expect(reading.warnings == ["3 bytes behind the end of the model cache are left aside"])
  }

  @Test func whatIsNoCacheSaysWhy() throws {
    let model = CompiledModelWriter.data(try SampleModel.make())
    #expect(failure(Data()).contains("it is empty"))
    #expect(failure(model).contains("no deflate stream"))
    #expect(failure(Data([0x78, 0x9c]) + RawDeflate.stored(model)).contains("can't be used"))
    #expect(failure(Data(repeating: 0xff, count: 100)).contains("no deflate stream"))
    #expect(failure(RawDeflate.stored(Data("hello".utf8))).contains("no keyed archive"))
    #expect(failure(Data("x".utf8)).contains("(Z_MODELCACHE)"))
  }

  @Test func aCacheCutAnywhereIsRefused() throws {
    let content = RawDeflate.stored(CompiledModelWriter.data(try SampleModel.make()))
    for length in 0..<content.count { #expect(!failure(content.prefix(length)).isEmpty) }
  }

  @Test func aSmallCacheThatStandsForAHugeOneIsRefused() {
    let bomb = RawDeflate.zeros(count: 200 << 20)
    #expect(bomb.count < 2 << 20)
    #expect(failure(bomb).contains("inflates to more than 32 MB"))
  }
}

/// Raw deflate streams made by hand.
enum RawDeflate {
  /// The data in stored blocks.
  static func stored(_ data: Data) -> Data {
    var output = Data()
    var rest = data[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(0xffff)
      let count = UInt16(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { output.append(contentsOf: [UInt8(number & 0xff), UInt8(number >> 8)]) }
      output.append(block)
    } while !rest.isEmpty
    return output
  }

  /// That many zeros: one literal, and then matches of 258 bytes at distance 1 in the fixed code.
  static func zeros(count: Int) -> Data {
    var (output, bits, held): (Data, UInt32, Int) = (Data(), 0, 0)
    func put(_ value: UInt32, _ length: Int) {
      bits |= value << held
      held += length
      while held >= 8 {
        output.append(UInt8(bits & 0xff))
        bits >>= 8
        held -= 8
      }
    }
    put(0b011, 3)
    put(0b0000_1100, 8)
    for _ in 0..<(count / 258) {
      put(0b1010_0011, 8)
      put(0, 5)
    }
    put(0, 7)
    put(0, 8)
    return output
  }
}
