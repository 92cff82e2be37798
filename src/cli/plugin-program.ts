import { servePlugin } from "../plugin";
import { secretsOf } from "./terminal/redact";

// The program that Terraform and OpenTofu start. `scripts/plugin/bundle-plugin.js` makes one file from this program, and `steward
// mirror` copies that file.
const secrets = secretsOf(process.env);

/** A promise that resolves when the plugin's server has loaded all modules that it needs. */
export const loaded = servePlugin(
  () => {
    // To save time, loads the provider after the handshake, while the client connects to the server.
    const { createProvider }: typeof import("../provider") = require("../provider");
    return createProvider();
  },
  (text) => secrets.redactText(text),
);
