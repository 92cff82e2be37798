import type { DataSample } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "web-shop", config: { project: "acme/web-shop" } },
  config: { project: "acme/web" },
  // Both lists, and the setting, which is no collection.
  shared: { resource: "job_token_allowlist", first: 3, again: 1 },
};
