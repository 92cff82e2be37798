import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "platform", config: { group: "acme/platform" } },
  config: { group: "acme" },
  shared: NOTHING_DECLARED,
  isUnspecified: true,
};
