import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "web-shop", config: { project: "acme/web-shop" } },
  config: { project: "acme/web" },
  shared: NOTHING_DECLARED,
  isUnspecified: true,
};
