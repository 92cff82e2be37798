/** Loaded at need: gRPC takes longer to load than everything before the handshake together. */
export function loadServeConnection() {
  const { serveConnection }: typeof import("./connection") = require("./connection");
  return serveConnection;
}
