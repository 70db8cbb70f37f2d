#ifndef DECANT_CZLIB_SHIM_H
#define DECANT_CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro and doesn't import. Minus 15: a raw stream without header, the largest window. */
static inline int decant_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -15);
}

/* deflateInit2 is a macro as well; 8 and the default strategy are what deflateInit takes. */
static inline int decant_deflate_init_raw(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
