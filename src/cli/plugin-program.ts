import { servePlugin } from "../plugin";
import { redactor } from "./terminal/redact";

// The program that Terraform and OpenTofu start. `scripts/plugin/bundle-plugin.js` bundles it into the one
// file that `steward mirror` copies.
/** Resolves when everything that serving needs is loaded. */
export const loaded = servePlugin(() => {
  // The provider is loaded after the handshake, while the client connects.
  const { createProvider }: typeof import("../provider") = require("../provider");
  return createProvider();
}, redactor(process.env));
