import { type DataSample, ONE_LIST } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "production", config: { project: "acme/web-shop", name: "production" } },
  config: { project: "acme/web", name: "production" },
  shared: { resource: "protected_environment", ...ONE_LIST },
};
