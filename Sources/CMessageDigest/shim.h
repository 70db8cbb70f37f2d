#ifndef DECANT_CMESSAGEDIGEST_SHIM_H
#define DECANT_CMESSAGEDIGEST_SHIM_H

#include <sys/types.h>
#include <sha1.h>
#include <sha2.h>

#endif
