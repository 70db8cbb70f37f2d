#ifndef DECANT_CEXPAT_SHIM_H
#define DECANT_CEXPAT_SHIM_H

#include <expat.h>

#endif
