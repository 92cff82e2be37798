import type { DataSample } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "web-shop", config: { project: "acme/web-shop" } },
  config: { project: "acme/web" },
  // Settings are no collection: each asks for itself.
  shared: { resource: "pages_settings", first: 2, again: 2 },
};
