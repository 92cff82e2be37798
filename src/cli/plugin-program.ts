import { servePlugin } from "../plugin";
import { secretsOf } from "./terminal/redact";

// The program that Terraform and OpenTofu start. `scripts/plugin/bundle-plugin.js` makes one file from this program, and `steward
// mirror` copies that file.
const secrets = secretsOf(process.env);

/** Resolves when all modules are loaded that the server of the plugin needs. */
export const loaded = servePlugin(
  () => {
    // The provider is loaded after the handshake, to save time: the client connects at the same time.
    const { createProvider }: typeof import("../provider") = require("../provider");
    return createProvider();
  },
  (text) => secrets.redactText(text),
);
