import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "me", config: {} },
  config: {},
  shared: NOTHING_DECLARED,
};
