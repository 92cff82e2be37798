import { type DataSample, NOTHING_DECLARED } from "../samples/sample";

export const sample: DataSample = {
  example: {
    id: "services",
    config: { group: "acme", include_subgroups: true, topic: "service", archived: false },
  },
  config: {},
  shared: NOTHING_DECLARED,
  isUnspecified: true,
};
