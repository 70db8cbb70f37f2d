#ifndef DECANT_CMICROHTTPD_SHIM_H
#define DECANT_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

/* MHD_start_daemon takes variable arguments. This function serves a descriptor that listens already, with one internal
   thread and at most `connections` clients. A client is dropped after `seconds` of silence. The thread calls `notify`
   when a connection begins and ends. The library writes nothing to standard error. It has a pipe for wake-ups, so it
   stops without a shutdown of the socket, which the service manager may share with this process. */
static inline struct MHD_Daemon *decant_mhd_start_on_descriptor(
    int descriptor, unsigned int connections, unsigned int seconds,
    MHD_AccessHandlerCallback handler, MHD_NotifyConnectionCallback notify, void *context) {
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC, 0, (MHD_AcceptPolicyCallback)0, (void *)0,
      handler, context,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)descriptor,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 * 1024),
      MHD_OPTION_END);
}

/* The socket of a connection; -1 if it isn't known. */
static inline int decant_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

#endif
