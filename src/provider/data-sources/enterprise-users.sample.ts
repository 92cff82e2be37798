import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "without-two-factor", config: { group: "acme", two_factor: "disabled" } },
  config: { group: "acme" },
  shared: NOTHING_DECLARED,
};
