import { type DataSample, ONE_LIST } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "web-shop", config: { project: "acme/web-shop" } },
  config: { project: "acme/web" },
  shared: { resource: "protected_environment", ...ONE_LIST },
};
