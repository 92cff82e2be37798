/** Loaded at need: a plugin that Terraform waits for does so after the handshake, while the other end connects. */
export function loadServeConnection() {
  const { serveConnection }: typeof import("./connection") = require("./connection");
  return serveConnection;
}
