#ifndef DECANT_CZLIB_SHIM_H
#define DECANT_CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro, which Swift can't import. -15 means a raw stream without header, with the largest window. */
static inline int decant_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -15);
}

/* deflateInit2 is a macro, too. deflateInit uses the same memory level (8) and the same strategy. */
static inline int decant_deflate_init_raw(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
