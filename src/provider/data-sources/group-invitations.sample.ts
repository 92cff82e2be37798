import { type DataSample, ONE_LIST } from "../samples/sample";

export const sample: DataSample = {
  example: { id: "platform", config: { group: "acme/platform" } },
  config: { group: "acme/platform" },
  shared: { resource: "group_invitation", ...ONE_LIST },
};
