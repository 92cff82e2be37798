/** Loaded at need: gRPC takes longer to load than everything before the handshake together. */
export function loadConnection(): typeof import("./connection") {
  return require("./connection");
}
