#ifndef DECANT_CSYSTEMD_SHIM_H
#define DECANT_CSYSTEMD_SHIM_H

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
