import { servePlugin } from "../plugin";
import { secretsOf } from "./terminal/redact";

// The program that Terraform and OpenTofu start. `scripts/plugin/bundle-plugin.js` bundles it into the one
// file that `steward mirror` copies.
const secrets = secretsOf(process.env);

/** Resolves when everything that serving needs is loaded. */
export const loaded = servePlugin(
  () => {
    // The provider is loaded after the handshake, while the client connects.
    const { createProvider }: typeof import("../provider") = require("../provider");
    return createProvider();
  },
  (text) => secrets.redactText(text),
);
