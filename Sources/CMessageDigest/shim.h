#ifndef DECANT_CMESSAGEDIGEST_SHIM_H
#define DECANT_CMESSAGEDIGEST_SHIM_H

#include <nettle/sha1.h>
#include <nettle/sha2.h>

#endif
