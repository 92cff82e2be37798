import { servePlugin } from "../../../src/plugin";

void servePlugin(() => {
  // Loaded after the handshake, as the real program does.
  const { createProvider }: typeof import("../../../src/provider") = require("../../../src/provider");
  return createProvider();
});
