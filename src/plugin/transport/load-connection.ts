/** Loaded on demand: a plugin loads it after the handshake, while the client connects. */
export function loadServeConnection() {
  const { serveConnection }: typeof import("./connection") = require("./connection");
  return serveConnection;
}
