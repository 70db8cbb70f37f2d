#ifndef DECANT_CZLIB_SHIM_H
#define DECANT_CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro and doesn't import. Minus 15: a raw stream without header, the largest window. */
static inline int decant_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -15);
}

#endif
