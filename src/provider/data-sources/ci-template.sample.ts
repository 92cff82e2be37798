import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "node", config: { key: "Node" } },
  config: { key: "Node" },
  shared: NOTHING_DECLARED,
};
