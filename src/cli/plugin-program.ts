import { servePlugin } from "../plugin";
import { redactor } from "./terminal/redact";

// What Terraform and OpenTofu start. `scripts/plugin/bundle-plugin.js` makes one file of it, which `steward mirror` hands out.
void servePlugin(
  () => {
    // Loaded after the handshake, while the other end connects.
    const { createProvider }: typeof import("../provider") = require("../provider");
    return createProvider();
  },
  { redact: redactor(process.env) },
);
